import type { FileProblem } from "./results.ts";

/**
 * Compares by Unicode code point, the order in which migration files run (reference 4.4 rule 5). `<` on strings
 * compares UTF-16 units, which puts characters beyond the BMP before U+E000.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for code points above U+FFFF, behind every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Warns of each path that comes before one of a smaller number: `release-10` before `release-2`. */
export function misleadingNumbers(paths: readonly string[]): readonly FileProblem[] {
  return paths.slice(1).flatMap((next, index): FileProblem[] => {
    const path = paths[index] ?? "";
    if (compareByNumber(path, next) <= 0) return [];
    const message = `Runs before '${next}', since names are compared by character: ` +
      "write numbers with leading zeros if that is not meant";
    return [{ severity: "warning", path, message }];
  });
}

const PARTS = /=[\da-f]{2}|\d+|=|[^\d=]+/g;

/** Compares runs of digits by their value, everything else by code point. */
function compareByNumber(a: string, b: string): number {
  const left = a.match(PARTS) ?? [];
  const right = b.match(PARTS) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one = "", other = ""] = [left[i], right[i]];
    const areNumbers = /^\d/.test(one) && /^\d/.test(other);
    const difference = areNumbers
      ? Number(BigInt(one) - BigInt(other))
      : compareCodePoints(one, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
