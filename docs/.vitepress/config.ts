/** VitePress reads this where `deno task docs` has put it, beside the pages and `site.json`. */
import { readFileSync } from "node:fs";
import { anchorOf } from "./anchor.ts";
import { foldedImports } from "./imports.ts";
import { literalInlineCode } from "./inline_code.ts";
import { breakableNames, cellsWithoutHeading } from "./tables.ts";
import { type Markdown, runtimeTabs } from "./runtimes.ts";
import { MINI_SEARCH, renderForSearch } from "./search.ts";
import { groupsAsButtons } from "./side_bar.ts";

/** `tools/build_docs.ts` writes these to `site.json`, since they depend on the pages that it finds. */
interface Site {
  readonly outDir: string;
  readonly sidebar: Readonly<Record<string, readonly unknown[]>>;
  readonly nav: readonly unknown[];
  readonly repository?: string;
}

const site: Site = JSON.parse(readFileSync(new URL("./site.json", import.meta.url), "utf8"));

/** Before the page is shown, so that nothing moves: `theme/remember_runtime.ts` does the rest. */
const SHOW_CHOSEN_RUNTIME =
  'try{document.documentElement.dataset.runtime=localStorage.getItem("irori-runtime")??""}catch{}';

export default {
  title: "Irori",
  description: "REST controllers and migrations for TypeScript, in one library",
  lang: "en",
  outDir: site.outDir,
  cacheDir: "./.vitepress/cache",
  lastUpdated: false,
  vite: { plugins: [groupsAsButtons] },
  // Browsers ask for one where none is named.
  head: [
    ["link", { rel: "icon", href: "data:," }],
    ["script", {}, SHOW_CHOSEN_RUNTIME],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    // `{id}` is a variable of a path here, and no attribute.
    attrs: { disable: true },
    linkify: false,
    // The usual ones have too little contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    codeTransformers: [foldedImports],
    config(markdown: Markdown) {
      runtimeTabs(markdown);
      cellsWithoutHeading(markdown);
      literalInlineCode(markdown);
      breakableNames(markdown);
    },
  },
  transformPageData({ frontmatter }: { readonly frontmatter: Record<string, unknown> }) {
    // Pages of the reference are written by the build.
    if (frontmatter.edit === undefined) frontmatter.editLink = false;
  },
  themeConfig: {
    nav: site.nav,
    sidebar: site.sidebar,
    outline: [2, 3],
    ...(site.repository && { editLink: { text: "Edit this page", pattern: editLink } }),
    socialLinks: site.repository ? [{ icon: "github", link: site.repository }] : [],
    search: {
      provider: "local",
      options: {
        _render: renderForSearch,
        miniSearch: MINI_SEARCH,
      },
    },
    docFooter: { prev: "Before", next: "After" },
  },
};

/** Runs in the browser. */
function editLink({ frontmatter }: { readonly frontmatter: { readonly edit?: string } }) {
  return frontmatter.edit;
}
