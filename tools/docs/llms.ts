import { linksFromTop } from "./links.ts";
import { summaryOf } from "./summary.ts";

/** Pages under a title, for those who read no HTML. */
export interface Chapter {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** A page as Markdown. */
export interface Page {
  /** On the site, with the extension `.md`. */
  readonly path: string;
  readonly markdown: string;
}

/** The head of both files. */
const HEAD = `# Irori

> REST controllers and migrations for TypeScript, in one library: controllers declared with standard
> decorators on Deno, Bun, Node and edge isolates; versioned migrations of OpenSearch, Elasticsearch and
> SQL databases. The package is \`@irori/irori\` on JSR and \`irori\` on npm.
`;

/** `llms.txt`: a line for each page, as https://llmstxt.org wants it. */
export function llmsIndex(chapters: readonly Chapter[]): string {
  const lists = chapters.map(({ title, pages }) =>
    `## ${title}\n\n${pages.map(line).join("\n")}\n`
  );
  return [HEAD, ...lists].join("\n");
}

function line({ path, markdown }: Page): string {
  const { title, description } = summaryOf(markdown, path);
  return `- [${title}](${path})${description && `: ${description}`}`;
}

/** `llms-full.txt`: the text of all pages. */
export function llmsFull(chapters: readonly Chapter[]): string {
  const pages = chapters.flatMap(({ pages }) => pages);
  return [
    HEAD,
    ...pages.map(({ path, markdown }) =>
      `<!-- ${path} -->\n\n${linksFromTop(markdown, path).trim()}\n`
    ),
  ].join("\n");
}
