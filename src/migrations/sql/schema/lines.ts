/** A line of a comparison: kept, only in the first text, or only in the second one. */
interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** How many lines stand around each difference. */
const CONTEXT = 3;
/** Above as many differences texts are no longer compared line by line. */
const MOST = 1000;

/**
 * What differs between two texts, as `diff -u` prints it: without its head, and nothing where they are equal.
 *
 * @returns lines without their ends
 */
export function differingLines(before: string, after: string): readonly string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const near = nearDifferences(lines);
  const found: string[] = [];
  let [first, second] = [1, 1];
  for (const [index, { sign, text }] of lines.entries()) {
    if (near.has(index)) {
      if (!near.has(index - 1)) found.push(headOf(lines, index, near, first, second));
      found.push(`${sign}${text}`);
    }
    if (sign !== "+") first++;
    if (sign !== "-") second++;
  }
  return found;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function nearDifferences(lines: readonly Line[]): ReadonlySet<number> {
  const near = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    const end = Math.min(index + CONTEXT, lines.length - 1);
    for (let at = Math.max(0, index - CONTEXT); at <= end; at++) near.add(at);
  }
  return near;
}

function headOf(
  lines: readonly Line[],
  start: number,
  near: ReadonlySet<number>,
  first: number,
  second: number,
): string {
  let [before, after] = [0, 0];
  for (let at = start; near.has(at); at++) {
    if (lines[at]!.sign !== "+") before++;
    if (lines[at]!.sign !== "-") after++;
  }
  return `@@ -${first},${before} +${second},${after} @@`;
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [a, b] = [before.length, after.length];
  while (a > start && b > start && before[a - 1] === after[b - 1]) [a, b] = [a - 1, b - 1];
  const kept = (lines: readonly string[]) => lines.map((text): Line => ({ sign: " ", text }));
  return [
    ...kept(before.slice(0, start)),
    ...shortest(before.slice(start, a), after.slice(start, b)),
    ...kept(before.slice(a)),
  ];
}

/** The fewest lines to take away and to add: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986. */
function shortest(before: readonly string[], after: readonly string[]): readonly Line[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: ReadonlyMap<number, number>[] = [];
  const at = (reached: ReadonlyMap<number, number>, diagonal: number) =>
    reached.get(diagonal) ?? -1;
  const goesDown = (reached: ReadonlyMap<number, number>, diagonal: number, step: number) =>
    diagonal === -step ||
    (diagonal !== step && at(reached, diagonal - 1) < at(reached, diagonal + 1));
  for (let step = 0; step <= Math.min(before.length + after.length, MOST); step++) {
    trace.push(new Map(furthest));
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      let x = goesDown(furthest, diagonal, step)
        ? at(furthest, diagonal + 1)
        : at(furthest, diagonal - 1) + 1;
      while (
        x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]
      ) {
        x++;
      }
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack();
    }
  }
  return [
    ...before.map((text): Line => ({ sign: "-", text })),
    ...after.map((text): Line => ({ sign: "+", text })),
  ];

  function walkBack(): readonly Line[] {
    const lines: Line[] = [];
    let [x, y] = [before.length, after.length];
    for (const [step, reached] of [...trace.entries()].reverse()) {
      const diagonal = x - y;
      const isDown = goesDown(reached, diagonal, step);
      const earlier = isDown ? diagonal + 1 : diagonal - 1;
      const fromX = step === 0 ? 0 : at(reached, earlier);
      const fromY = step === 0 ? 0 : fromX - earlier;
      while (x > fromX && y > fromY) {
        lines.push({ sign: " ", text: before[--x]! });
        y--;
      }
      if (step === 0) break;
      lines.push(isDown ? { sign: "+", text: after[--y]! } : { sign: "-", text: before[--x]! });
    }
    return lines.reverse();
  }
}
