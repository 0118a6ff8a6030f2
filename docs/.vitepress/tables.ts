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

/** Code as HTML in which long names break between their words. */
export function breakableHtml(code: string): string {
  const partsOf = (name: string) => name.length > 12 ? name.split(BETWEEN_WORDS) : [name];
  return code.split(" ").map((name) => partsOf(name).map(escapeHtml).join("<wbr>")).join(" ");
}

const BETWEEN_WORDS = /(?<=[a-z0-9])(?=[A-Z])|(?<=\S[._/:=,({])(?=[^\s._/:=,(){}]\S{3})/;

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
