/**
 * Whether a name is surely one that a pattern of the security plugin means: `*` and `?`, or between slashes an expression of
 * Java. One that Java might read in another way matches no user.
 */
export function matches(pattern: string, name: string): boolean {
  const [, expression] = /^\/([^]*)\/$/.exec(pattern) ?? [];
  if (expression === undefined) return fits(pattern, name);
  if (!COMMON.test(expression) || !isQuick(expression) || !PLAIN.test(name)) return false;
  try {
    return new RegExp(`^(?:${expression})$`).test(name);
  } catch {
    return false;
  }
}

/** Whether a name fits a pattern of `*` and `?`, in as many steps as both have characters, multiplied. */
function fits(pattern: string, name: string): boolean {
  // At each place whether the pattern so far fits the name up to there.
  let row = [true, ...Array.from(name, () => false)];
  for (const character of pattern) {
    const next = [character === "*" && row[0]!];
    for (const [index, own] of Array.from(name).entries()) {
      next.push(
        character === "*"
          ? row[index + 1]! || next[index]!
          : row[index]! && (character === "?" || character === own),
      );
    }
    row = next;
  }
  return row.at(-1)!;
}

/** Whether an expression is tried in no time: no group is repeated, and little else. */
function isQuick(expression: string): boolean {
  const bare = expression.replace(/\\.|\[[^\]]*\]/g, "x").replaceAll("(?:", "(");
  const repetitions = bare.match(/[*+?{]/g) ?? [];
  return repetitions.length <= 3 && !/\)[*+?{]/.test(bare);
}

/** Expressions that mean the same in Java and here: nothing but these, one after another. */
const COMMON = new RegExp(
  `^(?:${
    [
      /[\w @:=,%~!#&<>"'`;/-]/,
      /[.^$|)*+?]/,
      /\((?!\?)|\(\?:/,
      /\{\d{1,3}(?:,\d{0,3})?\}/,
      /\\[dw.*+?^$|()[\]{}/@:-]/,
      /\[\^?[\w.@:-]+\]/,
    ].map(({ source }) => source).join("|")
  })*$`,
);
/** Characters that are one to both, and no line breaks. */
const PLAIN = /^[ -~\u00a1-\u1fff]*$/;
