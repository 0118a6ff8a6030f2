import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { dirname, join } from "@std/path";
import deno from "../deno.json" with { type: "json" };
import { anchorOf } from "../docs/.vitepress/anchor.ts";
import { withoutBlocks } from "../tools/docs/blocks.ts";
import { RELEASE_HEADING } from "../tools/release_check.ts";

const AREAS = ["Web", "Migrations", "Command line", "Packages", "Docs"];
const KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

Deno.test("links of documents lead to files, and to headings that these have", async () => {
  const problems: string[] = [];
  let links = 0;
  for (const path of await documents()) {
    for (
      const [, target = ""] of proseOf(await Deno.readTextFile(path)).matchAll(/\]\(([^)\s]+)\)/g)
    ) {
      if (/^\w+:/.test(target)) continue;
      links++;
      const [file = "", heading] = target.split("#");
      const aim = file === "" ? path : join(dirname(path), file);
      const exists = await Deno.stat(aim).then(() => true, () => false);
      if (!exists) problems.push(`${path}: '${target}' does not exist`);
      else if (heading !== undefined && !(await headingsOf(aim)).includes(heading)) {
        problems.push(`${path}: '${target}' is no heading there`);
      }
    }
  }
  assertEquals(problems, []);
  assertEquals(links > 100, true, `${links}`);
});

Deno.test("CHANGELOG.md is grouped by version, kind and area, in their order", async () => {
  const headings = [...(await Deno.readTextFile("CHANGELOG.md")).matchAll(/^(##+) (.*)/gm)];
  let kinds: string[] = [];
  let areas: string[] = [];
  const inOrder = (found: string[], known: readonly string[]) =>
    assertEquals(found, known.filter((name) => found.includes(name)));
  for (const [, marks = "", title = ""] of headings) {
    if (marks === "##") {
      assertEquals(
        title === "[Unreleased]" || RELEASE_HEADING.test(title),
        true,
        title,
      );
      kinds = [];
    } else if (marks === "###") {
      inOrder(kinds = [...kinds, title], KINDS);
      areas = [];
    } else {
      const [area = ""] = title.split(":");
      if (areas.at(-1) !== area) inOrder(areas = [...areas, area], AREAS);
    }
  }
  assertEquals(headings[0]?.[2], "[Unreleased]");
});

Deno.test("figures that compare like for like are those of docs/benchmarks.md, with commands that there are", async () => {
  const rows = rowsOf(await Deno.readTextFile("docs/guide/compare.md"), "Like for like");
  assertEquals(rows.length > 5, true);
  for (const [what = "", ours = "", others = "", command = ""] of rows) {
    await assertMeasured(what, `${ours} ${others}`);
    const [, task = ""] = /`([\w:]+)/.exec(command) ?? [];
    assertEquals(task in deno.tasks, true, task);
  }
});

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  "docs/benchmarks.md": ["Where Irori is slower", "Where Irori is faster"],
  "docs/guide/compare.md": ["Web", "Migrations"].flatMap((half) => [
    `${half}: what others do better`,
    `${half}: where Irori is faster`,
  ]),
};

for (const [page, titles] of Object.entries(COMPARISONS)) {
  Deno.test(`${page} + figures of its comparison are those of the tables of the benchmarks`, async () => {
    const text = await Deno.readTextFile(page);
    for (const title of titles) {
      const rows = rowsOf(text, title);
      assertEquals(rows.length > 3, true);
      for (const [what = "", ours = "", others = ""] of rows) {
        await assertMeasured(what, `${ours} ${others}`);
      }
    }
  });
}

Deno.test("compare.md + its table of invalid requests is that of the benchmarks", async () => {
  const text = await Deno.readTextFile("docs/guide/compare.md");
  const benchmarks = await Deno.readTextFile("docs/benchmarks.md");
  const names = ["Hono", "Fastify", "NestJS on Fastify", "Irori"];
  const [, node = ""] = /^(\| Node +\| start .*\n(?:\|.*\n)+)/m.exec(benchmarks) ?? [];
  const verdicts = names.map((name) =>
    new RegExp(`^\\| ${name} +\\|.*$`, "m").exec(node)?.[0].split("|").slice(6, -1) ?? []
  );
  assertEquals(
    rowsOf(text, "Invalid requests").map(([, ...cells]) => cells.map((cell) => cell.trim())),
    [0, 1, 2, 3, 4].map((at) => verdicts.map((cells) => cells[at]?.trim() ?? "")),
  );
});

Deno.test("compare.md + the findings of squawk are those that were measured", async () => {
  const rows = /^\| dangerous statements .*\n\| statements without a lock.*$/m;
  const [measured] = rows.exec(await Deno.readTextFile("docs/proofs/sql-lint.md")) ?? [];
  const [shown] = rows.exec(await Deno.readTextFile("docs/guide/compare.md")) ?? [];
  assertEquals(shown, measured);
});

/** The rows of the first table below a heading. */
function rowsOf(text: string, heading: string): readonly (readonly string[])[] {
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [table = ""] = /^(?:\|.*\n)+/m.exec(section) ?? [];
  return table.trim().split("\n").slice(2).map((row) => row.split("|").slice(1, -1));
}

/** A section of the benchmarks has all figures of a row. */
async function assertMeasured(what: string, text: string): Promise<void> {
  const [, measured = ""] = (await Deno.readTextFile("docs/benchmarks.md")).split("## Method");
  const sections = measured.replace(/(?<=\d),(?=\d)/g, "").split(/^##+ /m);
  const figures = text.match(/\d[\d.,]*(?<!,)/g) ?? [];
  assertEquals(figures.length > 0, true, what);
  const known = figures.map((figure) => {
    const digits = figure.replaceAll(",", "").replaceAll(".", "\\.");
    return new RegExp(`(?<![\\d.])${digits}(?![\\d.]\\d?)`);
  });
  const isMeasured = sections.some((section) => known.every((figure) => figure.test(section)));
  assertEquals(isMeasured, true, `${what.trim()}: no section has all of ${figures.join(", ")}`);
}

Deno.test("documents name the same lowest versions of Node and TypeScript as the package", async () => {
  const [, node = ""] =
    /engines: \{ node: ">=(\d+\.\d+)\.0" \}/.exec(await Deno.readTextFile("tools/_package.ts")) ??
      [];
  const table: [path: string, text: RegExp, expected: string][] = [
    ["README.md", /with Node \[([\d.]+)\]/, node],
    ["docs/guide/runtimes.md", /run on Node ([\d.]+) or later/, node],
    ["docs/versioning.md", /^\| Node +\| ([\d.]+) and later/m, node],
    ["docs/guide/runtimes.md", /TypeScript ([\d.]+) is the lowest/, "5.7"],
    ["docs/versioning.md", /TypeScript\*\* ([\d.]+) is the lowest/, "5.7"],
  ];
  for (const [path, text, expected] of table) {
    assertEquals(text.exec(await Deno.readTextFile(path))?.[1], expected, path);
  }
});

async function documents(): Promise<readonly string[]> {
  const found = Array.from(Deno.readDirSync("."), ({ name }) => name)
    .filter((name) => name.endsWith(".md"));
  for (const folder of ["docs", "examples"]) {
    for await (const { path } of walk(folder, { includeDirs: false })) {
      if (path.endsWith(".md") && !path.includes("node_modules")) found.push(path);
    }
  }
  return found.sort();
}

/** Without code, in which brackets are something else. */
function proseOf(text: string): string {
  return withoutBlocks(text).replace(/(`+)[^`]+\1/g, "");
}

/** The anchors of a page. */
async function headingsOf(path: string): Promise<readonly string[]> {
  return [...withoutBlocks(await Deno.readTextFile(path)).matchAll(/^#+ (.*)/gm)]
    .map(([, title = ""]) => anchorOf(title.replace(/\]\([^)]*\)/g, "")));
}
