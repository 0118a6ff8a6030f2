import type { Markdown, Token } from "./runtimes.ts";

/** Makes cells above a table that are empty cells without a heading, as a heading says what is below it. */
export function cellsWithoutHeading(markdown: Markdown): void {
  markdown.core.ruler.push("cells_without_heading", ({ tokens }) => {
    tokens.forEach((token, at) => {
      const [content, end] = tokens.slice(at + 1, at + 3) as [Token?, Token?];
      if (token.type !== "th_open" || content?.content !== "" || end === undefined) return;
      token.tag = "td";
      end.tag = "td";
    });
  });
}
