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

/** Lets names in tables break between their words only: `ValidationPipe` before `Pipe`, `a.b` behind the point. */
export function breakableNames(markdown: Markdown): void {
  markdown.core.ruler.push("breakable_names", ({ tokens, env }) => {
    if (env.isForSearch) return;
    tokens.forEach(({ children }, at) => {
      if (!/^t[dh]_open$/.test(tokens[at - 1]?.type ?? "")) return;
      for (const token of children ?? []) {
        if (token.type !== "code_inline") continue;
        const content = `<code v-pre>${breakableHtml(token.content)}</code>`;
        Object.assign(token, { type: "html_inline", content });
      }
    });
  });
}

/** A name as HTML that breaks between its words. */
export function breakableHtml(name: string): string {
  return name.split(BETWEEN_WORDS).map(escapeHtml).join("<wbr>");
}

const BETWEEN_WORDS = /(?<=[a-z0-9])(?=[A-Z])|(?<=\S[._/:=,({])(?=[^\s._/:=,(){}])/;

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
