/** This module decides which texts the search of the site indexes, and which pages it ranks first. */

/** Markdown-it, as far as it is used here. */
interface Renderer {
  readonly options: { highlight?: unknown };
  render(source: string, env: Env): string;
}

interface Env {
  readonly relativePath: string;
  readonly frontmatter?: { readonly keywords?: string };
}

/** A section of a page, as VitePress has it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** Other words for pages, from their front matter, by the beginning of their sections' ids. */
const keywords = new Map<string, string>();

/** Options of MiniSearch, as VitePress hands them on when it makes the index and when the browser loads it. */
export const MINI_SEARCH = {
  options: {
    fields: ["title", "titles", "text", "keywords"],
    storeFields: ["title", "titles"],
    // Called where the index is made alone.
    extractField: (section: Section, field: string) =>
      // The first section stands for the page.
      field === "keywords"
        ? (section.titles.length === 0 && keywords.get(section.id.replace(/#.*/, ""))) || ""
        : section[field as keyof Section],
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { keywords: 6, title: 2, titles: 1, text: 1 },
    // Runs in the browser. Guides say how, the reference what there is, decisions why.
    boostDocument: (id: string) => id.includes("/guide/") ? 3 : id.includes("/api/") ? 1 : 0.5,
  },
};

/** Renders a page for the index: without colours, and with one spelling of each block. */
export function renderForSearch(source: string, env: Env, markdown: Renderer): string {
  const { highlight } = markdown.options;
  markdown.options.highlight = undefined;
  try {
    const own = { ...env, isForSearch: true };
    const html = markdown.render(source, own);
    keywords.set(`/${env.relativePath.replace(/\.md$/, ".html")}`, own.frontmatter?.keywords ?? "");
    return html;
  } finally {
    markdown.options.highlight = highlight;
  }
}
