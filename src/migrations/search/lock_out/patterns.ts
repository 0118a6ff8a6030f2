import { escaped } from "../../../text/mod.ts";

/**
 * Whether a name is surely one that a pattern of the security plugin means: `*` and `?`, or between slashes an expression of
 * Java. One that might be read in another way than here matches nobody.
 */
export function matches(pattern: string, name: string): boolean {
  const [, expression] = /^\/([^]*)\/$/.exec(pattern) ?? [];
  if (expression === undefined) {
    return new RegExp(`^${escaped(pattern).replaceAll("\\*", "[^]*").replaceAll("\\?", "[^]")}$`)
      .test(name);
  }
  if (!COMMON.test(expression) || !PLAIN.test(name)) return false;
  try {
    return new RegExp(`^(?:${expression})$`).test(name);
  } catch {
    return false;
  }
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
