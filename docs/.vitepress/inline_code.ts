import type { Markdown } from "./runtimes.ts";

/** Keeps Vue from evaluating `{{a}}` in code within a sentence; blocks of code have the attribute already. */
export function literalInlineCode(markdown: Markdown): void {
  markdown.core.ruler.push("literal_inline_code", ({ tokens }) => {
    const codes = tokens.flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === "code_inline");
    for (const code of codes) code.attrs = [...code.attrs ?? [], ["v-pre", ""]];
  });
}
