import { declaredPlaceholders, type Replacement, replaceParts } from "../../../text/mod.ts";
import { type FileProblem, InvalidFilesError, type LoadedFile } from "../../runner/mod.ts";

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters (Unicode code points). */
  readonly column: number;
  readonly source: string;
}

export interface Script {
  /** The text that is sent: without a byte order mark, placeholders filled in. */
  readonly text: string;
  /** The place of a position of `text` (UTF-16 units from 0) in the file. */
  locate(offset: number): Position;
  /** The text of the file between two positions of `text`: placeholders instead of their values. */
  original(start: number, end: number): string;
}

/**
 * Decodes a file and fills in the placeholders that are declared: `${name}` becomes the value, `$${name}` the text
 * `${name}`. Whatever else looks like one stays as it is.
 *
 * @throws {InvalidFilesError} when it is no UTF-8, or holds a NUL
 */
export function readScript(
  file: LoadedFile,
  placeholders: Readonly<Record<string, string>>,
  hasDollarQuotes = false,
): Script {
  const source = decode(file);
  const isPlain = Object.keys(placeholders).length === 0;
  const { text, originOf } = replaceParts(
    source,
    isPlain ? [] : fillings(source, placeholders, hasDollarQuotes),
  );
  let lines: readonly number[] | undefined;
  return {
    text,
    locate: (offset) => {
      lines ??= lineStarts(source);
      return locateIn(source, lines, originOf(Math.min(offset, text.length)));
    },
    original: (start, end) => source.slice(originOf(start), originOf(end, "end")),
  };
}

export function invalidFile(
  path: string,
  message: string,
  place: Partial<Position> & Pick<FileProblem, "undoes"> = {},
): InvalidFilesError {
  return new InvalidFilesError([{ severity: "error", path, message, ...place }]);
}

function locate(source: string, offset: number): Position {
  return locateIn(source, lineStarts(source), offset);
}

/** Where the lines of a text begin: many places are found without counting each time. */
function lineStarts(source: string): readonly number[] {
  return [0, ...source.matchAll(/\r\n|\r|\n/g).map(({ 0: end, index }) => index + end.length)];
}

function locateIn(source: string, lines: readonly number[], offset: number): Position {
  let [low, high] = [0, lines.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lines[middle]! <= offset) low = middle;
    else high = middle;
  }
  const start = lines[low]!;
  let column = 1;
  for (let at = start; at < offset; at++) {
    if ((source.codePointAt(at) ?? 0) > 0xffff) at++;
    column++;
  }
  return {
    line: low + 1,
    column,
    source: /[^\r\n]*/.exec(source.slice(start, lines[low + 1]))![0],
  };
}

function decode(file: LoadedFile): string {
  // That it fails at the first wrong byte costs Deno a second copy.
  const text = new TextDecoder().decode(file.bytes);
  const sound = text.includes("\ufffd") ? soundPrefix(file.bytes) : undefined;
  if (sound !== undefined) {
    const { line, column } = locate(sound, sound.length);
    const message =
      "The file is not UTF-8 from here on: save it in that encoding; a dump with binary values " +
      "is made by 'mysqldump --hex-blob'";
    throw invalidFile(file.path, message, { line, column });
  }
  release(file.bytes);
  const nul = text.indexOf("\0");
  if (nul < 0) return text;
  const { line, column } = locate(text, nul);
  const message = "The file holds a NUL character, at which databases stop reading";
  throw invalidFile(file.path, message, { line, column });
}

const LARGE = 1 << 20;

/** Gives the memory of a large file back at once: to who collects garbage it is a small object. */
function release({ buffer, byteLength }: Uint8Array): void {
  // A part of a buffer is not the file's alone.
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole && byteLength > LARGE) buffer.transfer(0);
}

/** The text before the first wrong byte, if there is one: from there on it is written back in another way. */
function soundPrefix(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const written = new TextEncoder().encode(text);
  let at = 0;
  while (at < written.length && written[at] === bytes[at]) at++;
  if (at === written.length) return undefined;
  // With `stream` the start of a character that is not ended is left out.
  return new TextDecoder().decode(bytes.subarray(0, at), { stream: true });
}

/** The `$` before a placeholder is the last one of `$$` or `$tag$`, and no escape. */
const DOLLAR_QUOTE = /(?<=(?<![\w$])\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)/iy;

/** Each placeholder with its value; an escaped one with itself. */
function* fillings(
  source: string,
  placeholders: Readonly<Record<string, string>>,
  hasDollarQuotes: boolean,
): Generator<Replacement> {
  const isDeclared = (name: string) => Object.hasOwn(placeholders, name);
  for (const { name, start, end, isEscaped } of declaredPlaceholders(source, isDeclared)) {
    DOLLAR_QUOTE.lastIndex = start + 1;
    const isOfQuote = isEscaped && hasDollarQuotes && DOLLAR_QUOTE.test(source);
    const text = isEscaped && !isOfQuote ? source.slice(start + 1, end) : placeholders[name] ?? "";
    yield { start: isOfQuote ? start + 1 : start, end, text };
  }
}
