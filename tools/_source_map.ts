/** The parts of a source map that the package has. */
export interface LineMap {
  readonly version: 3;
  readonly sources: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
}

/**
 * Reduces the source map of a file to its lines: each line of the file has the line of the source that its first token is
 * from.
 */
export function linesOf(map: LineMap, code: string, rename: (source: string) => string): LineMap {
  const isScript = code.startsWith("#!"); // A line that the map does not know.
  const lines = code.split("\n").slice(isScript ? 1 : 0);
  let source = 0, line = 0, keptSource = 0, keptLine = 0;
  const mappings = map.mappings.split(";").map((segments, index) => {
    const indent = lines[index]?.search(/\S/) ?? 0;
    let column = 0;
    let chosen: readonly [source: number, line: number] | undefined;
    for (const segment of segments === "" ? [] : segments.split(",")) {
      const [columns = 0, sources = 0, added = 0] = decoded(segment);
      column += columns;
      source += sources;
      line += added;
      if (chosen === undefined || column <= indent) chosen = [source, line];
    }
    if (chosen === undefined) return "";
    const [toSource, toLine] = chosen;
    const text = [0, toSource - keptSource, toLine - keptLine, 0].map(encoded).join("");
    [keptSource, keptLine] = chosen;
    return text;
  });
  if (isScript) mappings.unshift("");
  return { version: 3, sources: map.sources.map(rename), names: [], mappings: mappings.join(";") };
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of a segment: base64 digits of 5 bits, the lowest first, whose lowest bit is the sign. */
function decoded(segment: string): readonly number[] {
  const numbers: number[] = [];
  let value = 0, shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return numbers;
}

function encoded(number: number): string {
  let rest = number < 0 ? -number << 1 | 1 : number << 1;
  let text = "";
  do {
    const digit = rest & 31;
    rest >>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
