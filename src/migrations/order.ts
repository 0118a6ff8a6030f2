/**
 * Compares by Unicode code point, the order in which migration files run (reference 4.4 rule 5).
 * `<` on strings compares UTF-16 units, which puts characters beyond the BMP before U+E000.
 *
 * @returns negative, zero or positive, as `Array.prototype.sort` wants it
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
