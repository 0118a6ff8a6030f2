/** The documentation as it is built, and as a browser has it. */
import { assert, assertArrayIncludes, assertEquals, assertMatch } from "@std/assert";
import { walk } from "@std/fs/walk";
import { join } from "@std/path";
import type { Browser, Page } from "playwright-core";
import manifest from "../../deno.json" with { type: "json" };
import { buildDocs } from "../../tools/build_docs.ts";
import { FOLDERS, GROUPS, sitePath } from "../../tools/docs/pages.ts";
import { CHROMIUM, CHROMIUM_SKIPPED, launchChromium, screenshot } from "../chromium.ts";
import { crawl } from "./crawl.ts";
import { load, PHONE, violationsOf } from "./measure.ts";
import { QUERIES } from "./queries.ts";
import { serveFiles } from "./serve.ts";
import { searchOf } from "./site_search.ts";

let built: Promise<string> | undefined;

/** The site, built when it is first asked for. */
function site(): Promise<string> {
  return built ??= (async () => {
    const folder = await Deno.makeTempDir({ prefix: "irori-site-" });
    await buildDocs(folder, undefined, "0.0=https://v0-0.example.org/");
    return folder;
  })();
}

Deno.test.afterAll(async () => {
  const folder = await built?.catch(() => undefined);
  if (folder) await Deno.remove(folder, { recursive: true });
});

Deno.test("buildDocs() + every link leads to a page and an anchor, and every page is linked", async () => {
  const folder = await site();
  await using server = serveFiles(folder);
  const { pages, dead } = await crawl(server.url);
  assertEquals(dead, []);
  const linked = pages.map((path) => path.replace(/\/$/, "/index.html"));
  const files: string[] = [];
  for await (const { path } of walk(folder, { includeDirs: false })) {
    if (path.endsWith(".html")) files.push(path.slice(folder.length));
  }
  assertEquals(files.filter((path) => !linked.includes(path)), ["/404.html"]);
});

Deno.test("buildDocs() + every entry point has a page", async () => {
  const folder = await site();
  for (const name of Object.keys(manifest.exports)) {
    const module = name === "." ? "irori" : name.slice(2);
    const text = await Deno.readTextFile(join(folder, `api/${module}.md`))
      .catch(() => Deno.readTextFile(join(folder, `api/${module}/index.md`)));
    assertMatch(text, name === "./cli" ? /^# Command line$/m : /^# `@irori\/irori/m);
  }
  const names = await Deno.readTextFile(join(folder, "api/irori/index.md"));
  for (const name of ["bootstrap()", "GetMapping", "HttpRequest", "RequestBody()"]) {
    assert(names.includes(`\n### ${name}\n`), name);
  }
});

Deno.test("buildDocs() + a link to no page is reported by its path where no repository is known", async () => {
  const folder = await site();
  const text = await Deno.readTextFile(join(folder, "guide/project-layout.md"));
  assert(text.includes("`examples/tracks`") && !text.includes("](../../examples"));
});

Deno.test("buildDocs() + every page links to the sites of other versions", async () => {
  const text = await Deno.readTextFile(join(await site(), "guide/errors.html"));
  assertMatch(text, /<a [^>]*href="https:\/\/v0-0\.example\.org\/"/);
});

Deno.test("buildDocs() + llms.txt has a line for each page, llms-full.txt the text of all guides", async () => {
  const folder = await site();
  const index = await Deno.readTextFile(join(folder, "llms.txt"));
  const full = await Deno.readTextFile(join(folder, "llms-full.txt"));
  const lines = index.split("\n").filter((line) => line.startsWith("- "));
  const paths = lines.map((line) => /^- \[.+?\]\((\S+\.md)\)(?:: \S.+)?$/.exec(line)?.[1] ?? line);
  for (const path of paths) assert((await Deno.stat(join(folder, path))).isFile, path);
  const tasks = [...index.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  assertEquals(tasks.slice(0, GROUPS.length), GROUPS.map(({ title }) => title));
  const guides = GROUPS.flatMap(({ pages }) => pages);
  assertArrayIncludes(paths, guides.map(sitePath));
  for (const { folder } of FOLDERS) {
    for (const { name } of Deno.readDirSync(folder)) {
      assertArrayIncludes(paths, [sitePath(`${folder}/${name}`)]);
    }
  }
  for (const guide of guides) {
    const [, title] = /^# (.+)$/m.exec(await Deno.readTextFile(guide)) ?? [];
    assert(full.includes(`<!-- ${sitePath(guide)} -->\n\n# ${title}\n`), guide);
  }
});

Deno.test("buildDocs() + search finds for each query of newcomers its page first", async () => {
  const search = await searchOf(await site());
  const wrong = Object.entries(QUERIES).flatMap(([words, page]) => {
    const found = search(words)[0]?.replace(/#.*/, "");
    return found === `/guide/${page}.html` ? [] : [`${words}: ${found} instead of ${page}`];
  });
  assert(Object.keys(QUERIES).length >= 100);
  assertEquals(wrong, []);
  // The reference is found by names, and below the guides otherwise.
  for (const name of ["testApplication", "bootstrap", "HttpStatus"]) {
    assertMatch(search(name)[0] ?? "", /^\/api\//);
  }
});

Deno.test("buildDocs() + search finds the section of an error by its pasted line among the first three", async () => {
  const search = await searchOf(await site());
  const page = await Deno.readTextFile("docs/guide/troubleshooting.md");
  const lines = [...page.matchAll(/^```text\n(.*)$/gm)].map(([, line = ""]) => line);
  assert(lines.length >= 40);
  const wrong = lines.filter((line) =>
    !search(line).slice(0, 3).some((id) => id.startsWith("/guide/troubleshooting.html#"))
  );
  assertEquals(wrong, []);
});

inChromium(
  "axe-core finds nothing on the main pages, light and dark, phone and desktop",
  async (browser, url) => {
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      for (const viewport of [PHONE, { width: 1280, height: 900 }]) {
        const page = await browser.newPage({ colorScheme, viewport });
        for (const [name, path] of Object.entries(MAIN)) {
          await page.goto(url + path, { waitUntil: "networkidle" });
          await screenshot(page, `docs_${name}_${viewport.width}_${colorScheme}`);
          const place = `${path}, ${viewport.width} px, ${colorScheme}`;
          found.push(...(await violationsOf(page)).map((violation) => `${place}: ${violation}`));
        }
        await page.close();
      }
    }
    assertEquals(found, []);
  },
);

inChromium(
  "the largest element is there within 1.5 s, and nothing moves at 390 px",
  async (browser, url) => {
    for (const path of Object.values(MAIN)) {
      const loads = [];
      // The last one has another runtime's blocks.
      for (const runtime of [undefined, undefined, undefined, undefined, "Bun"]) {
        loads.push(await load(browser, url + path, runtime));
      }
      assert(medianOf(loads.map(({ largest }) => largest)) < 1500, path);
      // A page that arrives in parts, on a busy machine, may be shown in parts.
      const shifts = loads.map(({ shift }) => shift);
      assertEquals([path, medianOf(shifts)], [path, 0]);
      assert(Math.max(...shifts) < 0.01, `${path}: ${shifts}`);
    }
  },
);

inChromium(
  "imports are folded, shown by a button, and copied with the block",
  async (browser, url) => {
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.goto(`${url}/guide/controllers.html`, { waitUntil: "networkidle" });
    const block = page.locator(".vp-code-group .blocks > .active").first();
    const shown = async () => (await block.locator("code").innerText()).includes("import {");
    assertEquals(await shown(), false);
    await block.hover();
    await block.locator("button.copy").click();
    const copied = await page.evaluate("navigator.clipboard.readText()") as string;
    assertMatch(copied, /^import \{[^]*\} from "irori";\n[^]*\nconst NewBook = /);
    assert(!copied.includes("Show imports"));
    await block.locator("button.imports").press("Enter");
    assertEquals(await shown(), true);
    assertEquals(await block.locator("button.imports").innerText(), "Hide imports");
    await block.locator("button.imports").click();
    assertEquals(await shown(), false);
  },
);

inChromium("search, tabs and dark mode work, and no other host is asked", async (browser, url) => {
  const watched = await watch(browser, { width: 1280, height: 900 });
  await searchIn(watched.page, url);
  await tabsIn(watched.page, url);
  await darkModeIn(watched.page, url);
  assertEquals(watched.complaints, []);
  assertEquals([...watched.origins], [url]);
});

inChromium("pages fit into 400 pixels", async (browser, url) => {
  const { page, complaints } = await watch(browser, { width: 400, height: 800 });
  for (const [name, path] of Object.entries(KINDS)) {
    await page.goto(url + path);
    const beyond = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    assertEquals([path, beyond], [path, 0]);
    await screenshot(page, `docs_${name}_400`);
  }
  assertEquals(complaints, []);
});

/** Tests the site in a browser of its own. */
function inChromium(
  name: string,
  body: (browser: Browser, url: string) => Promise<void>,
): void {
  Deno.test({
    name: `buildDocs() + ${name} (Chromium)${CHROMIUM_SKIPPED}`,
    ignore: !CHROMIUM,
    // Connections of the browser end a moment after it.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using server = serveFiles(await site());
      const browser = await launchChromium();
      try {
        await body(browser, server.url);
      } finally {
        await browser.close();
      }
    },
  });
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!;
}

/** The pages that most readers see. */
const MAIN = {
  home: "/",
  create: "/guide/create.html",
  controllers: "/guide/controllers.html",
  binding: "/guide/binding.html",
  beans: "/guide/beans.html",
  security: "/guide/security.html",
  sql: "/guide/sql-migrations.html",
  reindex: "/guide/live-reindex.html",
  // The largest page of the reference keeps axe-core busy for a minute.
  reference: "/api/paging/",
  benchmarks: "/benchmarks.html",
};

/** A page of each kind: text, wide tables, long lines of code, the reference. */
const KINDS = {
  home: "/",
  guide: "/guide/controllers.html",
  tables: "/guide/what-happens-when.html",
  reference: "/api/irori/",
  inner: "/api/irori/inner-types.html",
  command_line: "/api/cli.html",
  benchmarks: "/benchmarks.html",
  decision: "/adr/0020-routes-on-hono.html",
  agents: "/agents.html",
};

async function searchIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await screenshot(page, "docs_home");
  const found = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.locator("#localsearch-input").fill(words);
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    const links = page.locator(".VPLocalSearchBox .result");
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    return targets.slice(0, 5);
  };
  assertEquals((await found("live reindex"))[0], "/guide/live-reindex.html#live-reindex");
  await page.keyboard.press("Escape");
  // A word that only the front matter of the page has.
  const others = await found("nodemon");
  assertEquals(others[0], "/guide/create.html#getting-started-create-a-project");
  await page.keyboard.press("Escape");
  const names = await found("testApplication");
  assert(names.some((path) => path?.startsWith("/api/testing/#testapplication")), String(names));
  await page.keyboard.press("Enter");
  await page.waitForURL(/testApplication|testapplication|testing/);
  await page.locator("h1").first().waitFor();
}

async function tabsIn(page: Page, url: string): Promise<void> {
  const shown = async () => {
    const blocks = page.locator(".vp-code-group .blocks > .active");
    await blocks.first().waitFor();
    // Folded imports, too.
    return (await blocks.locator("code").allTextContents()).join("\n");
  };
  await page.goto(`${url}/guide/testing.html`);
  const first = await shown();
  assert(first.includes('"irori/testing"') && !first.includes("@irori/irori"), first);
  await page.locator(".vp-code-group label", { hasText: "Deno" }).nth(1).click();
  const chosen = await shown();
  assert(chosen.includes('"@irori/irori/testing"') && !chosen.includes('"irori/testing"'), chosen);
  // Within the site, and on a page that is loaded again.
  await page.locator(".VPSidebarItem.collapsed .item", { hasText: "Operate" }).first().click();
  await page.locator(".VPSidebar a", { hasText: "Logging" }).click();
  await page.waitForURL(/logging/);
  await page.locator("h1", { hasText: "Logging" }).waitFor();
  await page.locator(".vp-code-group .blocks > .active", { hasText: '"@irori/irori"' }).first()
    .waitFor();
  await page.goto(`${url}/guide/migrations.html`);
  await page.locator(".vp-code-group .blocks > .active", { hasText: "deno run" })
    .first().waitFor();
  // Each part has its own side bar, and is marked above.
  assertEquals(await page.locator(".VPNavBarMenuLink.active").innerText(), "Migrations");
  const bar = await page.locator(".VPSidebar .link").allInnerTexts();
  assertArrayIncludes(bar, ["Live reindex"]);
  assertEquals(bar.includes("Validation and parameter binding"), false);
}

async function darkModeIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/guide/controllers.html`);
  await screenshot(page, "docs_guide");
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const light = await background();
  await page.locator(".VPSwitchAppearance:visible").first().click();
  await page.locator("html.dark").waitFor();
  assert(await background() !== light);
  await page.goto(`${url}/api/irori/`);
  await page.locator("html.dark").waitFor();
  await screenshot(page, "docs_reference_dark");
}

interface Watched {
  readonly page: Page;
  /** The messages of its console. */
  readonly complaints: string[];
  /** The origins that it sent requests to. */
  readonly origins: Set<string>;
}

async function watch(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
): Promise<Watched> {
  const page = await browser.newPage({ viewport });
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (request.url().startsWith("http")) origins.add(new URL(request.url()).origin);
  });
  return { page, complaints, origins };
}
