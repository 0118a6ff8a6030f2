import { withoutBlocks } from "./blocks.ts";

/** The summary of a page in one line. */
export interface Summary {
  readonly title: string;
  /** The first sentence of its first paragraph, without marks; its headings where it begins with something else. */
  readonly description: string;
}

/** Title and first sentence of a page. @throws {Error} when it has no title */
export function summaryOf(markdown: string, page: string): Summary {
  const text = markdown.replace(/<!--[^]*?-->\s*/g, "");
  const [heading, title] = /^# (.+)$/m.exec(text) ?? [];
  if (heading === undefined || title === undefined) throw new Error(`'${page}' has no title`);
  const body = text.slice(text.indexOf(heading) + heading.length)
    .replace(/^(?:Status: .*|Subject: .*|## Context)$/gm, "").trim();
  const [paragraph = ""] = body.split(/\n\n+/);
  const isText = /^(?:[^#|>`\-*\s]|\*\*|`[^`])/.test(paragraph);
  const said = isText ? firstSentence(paragraph) : headingsOf(body);
  return { title: plain(title), description: plain(said) };
}

function firstSentence(paragraph: string): string {
  const text = paragraph.replace(/\s+/g, " ");
  return /^.+?[.:](?= [A-Z`[]|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

function headingsOf(markdown: string): string {
  return [...withoutBlocks(markdown).matchAll(/^## (.+)$/gm)].map(([, text]) => text).join(", ");
}

/** Without links, emphasis and marks of code. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/\*\*|`/g, "");
}
