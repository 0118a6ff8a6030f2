/** The documentation as a site: `dist/site`. */
import { dirname, join, resolve } from "@std/path";
import { walk } from "@std/fs/walk";
import { type ApiPage, writeApi } from "./docs/api.ts";
import { withFrontMatter, withoutFrontMatter } from "./docs/front_matter.ts";
import { rewriteLinks } from "./docs/links.ts";
import { type Chapter, llmsFull, llmsIndex } from "./docs/llms.ts";
import { ABOUT, FOLDERS, type Group, GROUPS, HOME, sitePath } from "./docs/pages.ts";
import { summaryOf } from "./docs/summary.ts";
import manifest from "../deno.json" with { type: "json" };
import { copy } from "./_copy.ts";
import { installed } from "./_npm.ts";

/** The packages of the site's generator, in the user's cache. */
const PACKAGES = [
  "vitepress@1.6.4",
  "typedoc@0.28.20",
  "typedoc-plugin-markdown@4.14.1",
  "typedoc-plugin-missing-exports@4.1.4",
  "typescript@6.0.3",
];
/** Files that are copied unchanged beside the pages. */
const ASSETS = ["docs/growth.svg"];

/**
 * Builds the site in `folder`, which is emptied first: all pages as HTML and as Markdown, `llms.txt` and
 * `llms-full.txt`. Any server of files can serve it, at the root of a host.
 *
 * @param repository where links to what is no page of the site lead; without it they are no links
 * @param versions sites of other versions, such as `0.9=https://v0-9.example.org/ 0.8=https://v0-8.example.org/`
 */
export async function buildDocs(folder: string, repository?: string, versions = ""): Promise<void> {
  const packages = await installed("site", PACKAGES);
  const work = await Deno.makeTempDir({ prefix: "irori-docs-" });
  try {
    const source = join(work, "site");
    await copy("docs/.vitepress", join(source, ".vitepress"));
    // VitePress finds what it needs from where the pages are.
    await Deno.symlink(join(packages, "node_modules"), join(source, "node_modules"));
    const pages = await chaptersOfRepository();
    const api = await writeApi(source, work, packages);
    await writePages(source, pages, repository);
    const outDir = resolve(folder);
    await Deno.remove(outDir, { recursive: true }).catch(() => {});
    const site = { outDir, repository, ...navigation(pages, api, versions) };
    await Deno.writeTextFile(join(source, ".vitepress/site.json"), JSON.stringify(site));
    await vitepress(source);
    await writeTexts(source, outDir, pages, api);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Pages of the repository under one title. */
interface RepositoryChapter {
  readonly title: string;
  /** The part of the site whose side bar has these pages. */
  readonly part: Group["part"] | "Reference";
  readonly sections?: Group["sections"];
  readonly pages: readonly { readonly path: string; readonly markdown: string }[];
}

async function chaptersOfRepository(): Promise<readonly RepositoryChapter[]> {
  const read = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => ({ path, markdown: await Deno.readTextFile(path) })));
  const folders = FOLDERS.map(({ title, folder }) => ({
    title,
    paths: Array.from(Deno.readDirSync(folder), ({ name }) => `${folder}/${name}`)
      .filter((path) => path.endsWith(".md")).sort(),
  }));
  return await Promise.all([
    ...GROUPS.map(async (group) => ({ ...group, pages: await read(group.pages) })),
    { title: "Project", part: "Reference" as const, pages: await read(ABOUT) },
    ...folders.map(async ({ title, paths }) => ({
      title,
      part: "Reference" as const,
      pages: await read(paths),
    })),
  ]);
}

async function writePages(
  source: string,
  chapters: readonly RepositoryChapter[],
  repository: string | undefined,
): Promise<void> {
  const pages = chapters.flatMap(({ pages }) => pages);
  const all = [...pages, { path: HOME, markdown: await Deno.readTextFile(HOME) }];
  const places = new Map([
    ...all.map(({ path }) => path),
    ...ASSETS,
  ].map((path) => [path, sitePath(path)]));
  for (const { path, markdown } of all) {
    const target = join(source, sitePath(path));
    await Deno.mkdir(dirname(target), { recursive: true });
    const text = rewriteLinks(markdown.replace(/^<!--[^]*?-->\s*/, ""), {
      page: path,
      onSite: (path) => places.get(path),
      repository,
    });
    const edit = `edit: ${repository}/edit/main/${path}`;
    await Deno.writeTextFile(target, repository ? withFrontMatter(text, edit) : text);
  }
  for (const path of ASSETS) await Deno.copyFile(path, join(source, sitePath(path)));
}

/** The menu above all pages, and the side bar of each part. */
function navigation(
  chapters: readonly RepositoryChapter[],
  api: readonly ApiPage[],
  versions: string,
): Navigation {
  const others = versions.split(/\s+/).filter(Boolean).map((version): Item => {
    const [, text, link] = /^([^=]+)=(https?:.+)$/.exec(version) ?? [];
    if (text && link) return { text, link };
    throw new TypeError(`Expected versions such as '0.9=https://…', found '${version}'`);
  });

  const of = (part: RepositoryChapter["part"]) =>
    chapters.filter((chapter) => chapter.part === part);
  const links = (part: RepositoryChapter["part"]) =>
    of(part).flatMap(({ pages }) => pages).map(({ path }) => linkOf(sitePath(path)));
  const active = (part: RepositoryChapter["part"]) => `^(?:${links(part).join("|")})$`;
  const barOf = (part: RepositoryChapter["part"]) => {
    const bar = of(part).map(listed);
    // With the dot of '.html', a page is not the beginning of another one.
    return Object.fromEntries(links(part).map((link) => [`${link}.`, bar]));
  };
  return {
    nav: [
      { text: "Guide", link: "/guide/create", activeMatch: active("Guide") },
      { text: "Migrations", link: "/guide/migrations", activeMatch: active("Migrations") },
      { text: "Reference", link: "/api/irori/", activeMatch: "^/api/" },
      { text: "Compare", link: "/benchmarks", activeMatch: active("Compare") },
      {
        text: manifest.version,
        items: [
          { text: "Changes", link: "/changelog" },
          { text: "Versions and support", link: "/versioning" },
          ...others,
        ],
      },
    ],
    sidebar: {
      ...barOf("Migrations"),
      ...barOf("Compare"),
      "/guide/": of("Guide").map(listed),
      "/": [reference(api), ...of("Reference").map(listed)],
    },
  };
}

/** A chapter in a side bar, in its sections. */
function listed({ title, pages, sections }: RepositoryChapter): Item {
  // An index has the others.
  const index = pages.find(({ path }) => path.endsWith("/README.md"));
  const shown = index ? [index] : pages;
  const entries = new Map(shown.map(({ path, markdown }) => {
    return [path, { text: summaryOf(markdown, path).title, link: linkOf(sitePath(path)) }];
  }));
  const items = sections?.flatMap(({ title, pages }): Item[] => {
    const own = pages.map((path) => entries.get(path)!);
    return title === "" ? own : [{ text: title, collapsed: true, items: own }];
  });
  return { text: title, collapsed: true, items: items ?? [...entries.values()] };
}

interface Navigation {
  readonly nav: readonly Item[];
  /** By the beginnings of paths; of those that are as deep, the first counts. */
  readonly sidebar: Readonly<Record<string, readonly Item[]>>;
}

interface Item {
  readonly text: string;
  readonly link?: string;
  /** A regular expression of the pages on which the entry is active. */
  readonly activeMatch?: string;
  readonly items?: readonly Item[];
  /** Whether its entries are hidden until a reader opens it, or is on one of its pages. */
  readonly collapsed?: boolean;
}

function reference(api: readonly ApiPage[]): Item {
  return {
    text: "Reference",
    collapsed: true,
    // The others are linked by these.
    items: api.filter(({ isInner }) => !isInner)
      .map(({ path, title }) => ({ text: title, link: linkOf(path) })),
  };
}

/** `guide/errors.md` → `/guide/errors` */
function linkOf(path: string): string {
  return `/${path.replace(/(?<=\/)index\.md$|\.md$/, "")}`;
}

async function vitepress(source: string): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [join(source, "node_modules/vitepress/bin/vitepress.js"), "build", source],
    cwd: source,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`VitePress: ${text(stdout)}${text(stderr)}`);
}

/** The pages as Markdown, and the two files about them. */
async function writeTexts(
  source: string,
  outDir: string,
  chapters: readonly RepositoryChapter[],
  api: readonly ApiPage[],
): Promise<void> {
  const read = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => ({
      path,
      markdown: withoutFrontMatter(await Deno.readTextFile(join(source, path))),
    })));
  const texts = await Promise.all(chapters.map(async ({ title, part, pages }) => ({
    title,
    part,
    pages: await read(pages.map(({ path }) => sitePath(path))),
  })));
  const reference: Chapter = { title: "Reference", pages: await read(api.map(({ path }) => path)) };
  const guides = texts.filter(({ part }) => part !== "Reference");
  const others = texts.filter(({ part }) => part === "Reference");
  for (const { path, markdown } of [...texts, reference].flatMap(({ pages }) => pages)) {
    await Deno.writeTextFile(join(outDir, path), markdown);
  }
  await Deno.writeTextFile(join(outDir, "llms.txt"), llmsIndex([...guides, reference, ...others]));
  await Deno.writeTextFile(join(outDir, "llms-full.txt"), llmsFull(guides));
}

if (import.meta.main) {
  const [repository, versions] = ["IRORI_REPOSITORY", "IRORI_VERSIONS"].map((name) =>
    Deno.env.get(name)
  );
  await buildDocs("dist/site", repository, versions);
  let count = 0;
  for await (const { path } of walk("dist/site", { includeDirs: false })) {
    if (path.endsWith(".html")) count++;
  }
  console.log(`dist/site: ${count} pages`);
}
