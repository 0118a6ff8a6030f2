/** VitePress reads this where `deno task docs` has put it, beside the pages and `site.json`. */
import { readFileSync } from "node:fs";
import { anchorOf } from "./anchor.ts";
import { runtimeTabs } from "./runtimes.ts";

/** What `tools/build_docs.ts` has found out. */
interface Site {
  readonly outDir: string;
  readonly sidebar: Readonly<Record<string, readonly unknown[]>>;
  readonly nav: readonly unknown[];
  readonly repository?: string;
}

const site: Site = JSON.parse(readFileSync(new URL("./site.json", import.meta.url), "utf8"));

export default {
  title: "Irori",
  description: "REST controllers and migrations for TypeScript, in one library",
  lang: "en",
  outDir: site.outDir,
  cacheDir: "./.vitepress/cache",
  lastUpdated: false,
  // Browsers ask for one where none is named.
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    anchor: { slugify: anchorOf },
    // `{id}` is a variable of a path here, and no attribute.
    attrs: { disable: true },
    linkify: false,
    config: runtimeTabs,
  },
  themeConfig: {
    nav: site.nav,
    sidebar: site.sidebar,
    outline: [2, 3],
    socialLinks: site.repository ? [{ icon: "github", link: site.repository }] : [],
    search: {
      provider: "local",
      options: {
        _render: (source: string, env: Record<string, unknown>, markdown: Renderer) => {
          // Colours are not searched.
          const { highlight } = markdown.options;
          markdown.options.highlight = undefined;
          try {
            return markdown.render(source, { ...env, isForSearch: true });
          } finally {
            markdown.options.highlight = highlight;
          }
        },
        miniSearch: {
          searchOptions: {
            boost: { title: 4, text: 2, titles: 1 },
            // Runs in the browser. Who searches wants to know how before why.
            boostDocument: (id: string) =>
              id.includes("/guide/") ? 3 : id.includes("/api/") ? 2 : 1,
          },
        },
      },
    },
    docFooter: { prev: "Before", next: "After" },
  },
};

/** Markdown-it, as far as it is used here. */
interface Renderer {
  readonly options: { highlight?: unknown };
  render(source: string, env: Record<string, unknown>): string;
}
