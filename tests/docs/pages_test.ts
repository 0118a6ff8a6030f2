/** Which pages the site has, and what becomes of them. */
import { assertEquals, assertLessOrEqual } from "@std/assert";
import {
  type State,
  type Token,
  type Variant,
  variantsOf,
} from "../../docs/.vitepress/runtimes.ts";
import { FEATURES } from "../architecture/features.ts";
import { importsOf } from "../../docs/.vitepress/imports.ts";
import { literalInlineCode } from "../../docs/.vitepress/inline_code.ts";
import { blocksOfPages } from "./pages.ts";
import { breakableHtml, breakableNames } from "../../docs/.vitepress/tables.ts";
import { withFrontMatter, withoutFrontMatter } from "../../tools/docs/front_matter.ts";
import { rewriteLinks } from "../../tools/docs/links.ts";
import { llmsIndex } from "../../tools/docs/llms.ts";
import { ABOUT, GROUPS, PAGES_OF_FEATURES, sitePath } from "../../tools/docs/pages.ts";
import { summaryOf } from "../../tools/docs/summary.ts";

Deno.test("GROUPS + every page of the guide is in one group, and every page of a group exists", () => {
  const guides = Array.from(Deno.readDirSync("docs/guide"), ({ name }) => `docs/guide/${name}`);
  const grouped = GROUPS.flatMap(({ pages }) => pages);
  assertEquals(grouped.filter((page) => page.startsWith("docs/guide/")).sort(), guides.sort());
  for (const page of [...grouped, ...ABOUT]) assertEquals(Deno.statSync(page).isFile, true, page);
});

Deno.test("GROUPS + a reader sees at most seven entries before a choice", () => {
  for (const part of ["Guide", "Migrations", "Compare"]) {
    const groups = GROUPS.filter((group) => group.part === part);
    assertLessOrEqual(groups.length, 7, part);
    for (const { title, sections } of groups) {
      const seen = sections.flatMap(({ title, pages }) => title === "" ? pages : [title]);
      assertLessOrEqual(seen.length, 7, title);
      for (const section of sections) assertLessOrEqual(section.pages.length, 7, section.title);
    }
  }
});

Deno.test("PAGES_OF_FEATURES + a page names the features that its code imports", async () => {
  const pages = Object.keys(PAGES_OF_FEATURES).map((name) => `docs/guide/${name}.md`);
  for (const page of pages) assertEquals(Deno.statSync(page).isFile, true, page);
  const names = Object.values(PAGES_OF_FEATURES).flat();
  assertEquals(names.filter((name) => !(name in FEATURES)), []);
  const { exports }: { exports: Record<string, string> } = JSON.parse(
    Deno.readTextFileSync("deno.json"),
  );
  const missing = (await blocksOfPages()).flatMap(({ place, code }) => {
    const [, page] = /^docs\/guide\/(.*)\.md:/.exec(place) ?? [];
    if (page === undefined) return [];
    const imported = code.matchAll(/from "@irori\/irori(\/\w+)"/g).flatMap(([, entry]) =>
      /^\.\/src\/features\/([^/]+)/.exec(exports[`.${entry}`] ?? "")?.slice(1) ?? []
    );
    const own = PAGES_OF_FEATURES[page] ?? [];
    return imported.filter((name) => !own.includes(name)).map((name) => `${place}: ${name}`)
      .toArray();
  });
  assertEquals(missing, []);
});

Deno.test("sitePath() + pages keep their names, documents of the repository get small letters", () => {
  assertEquals(sitePath("docs/guide/errors.md"), "guide/errors.md");
  assertEquals(sitePath("CHANGELOG.md"), "changelog.md");
  assertEquals(sitePath("docs/adr/README.md"), "adr/index.md");
});

const DESTINATIONS = {
  page: "docs/guide/errors.md",
  onSite: (path: string) => path.endsWith(".md") ? sitePath(path) : undefined,
};

Deno.test("rewriteLinks() + links of pages lead to pages, whatever folder they are in", () => {
  const text = "[a](binding.md#bodies), [b](../adr/1.md), [c](../../AGENTS.md), [d](#here), " +
    "[e](https://example.org/a.md)";
  assertEquals(
    rewriteLinks(text, DESTINATIONS),
    "[a](./binding.md#bodies), [b](../adr/1.md), [c](../agents.md), [d](#here), " +
      "[e](https://example.org/a.md)",
  );
});

Deno.test("rewriteLinks() + what is no page is in the repository, or told by its path", () => {
  const text = "[`examples/tracks`](../../examples/tracks), [users\nexample](../../examples/users)";
  assertEquals(
    rewriteLinks(text, { ...DESTINATIONS, repository: "https://example.org/irori" }),
    "[`examples/tracks`](https://example.org/irori/blob/main/examples/tracks), " +
      "[users\nexample](https://example.org/irori/blob/main/examples/users)",
  );
  assertEquals(
    rewriteLinks(text, DESTINATIONS),
    "`examples/tracks`, users\nexample (`examples/users`)",
  );
});

Deno.test("rewriteLinks() + code stays as it is", () => {
  const text = "[a](b)\n\n```md\n[a](b.md)\n```\n\n[`[a]`](c.md)\n";
  assertEquals(
    rewriteLinks(text, DESTINATIONS),
    "a (`docs/guide/b`)\n\n```md\n[a](b.md)\n```\n\n[`[a]`](./c.md)\n",
  );
});

Deno.test("summaryOf() + title and first sentence, without marks", () => {
  const page = "# The `a` page\n\nStatus: accepted.\n\nIt has [what](b.md)\nthe **user** wants, " +
    "e.g. this. And more.\n";
  const description = "It has what the user wants, e.g. this.";
  assertEquals(summaryOf(page, "a.md"), { title: "The a page", description });
  const table = "# B\n\n| a |\n| - |\n\nText.\n\n## C\n\n```sh\n## no\n```\n\n## D\n";
  assertEquals(summaryOf(table, "b.md"), { title: "B", description: "C, D" });
});

Deno.test("llmsIndex() + a line for each page", () => {
  const pages = [{ path: "a.md", markdown: "# A\n\nText. More.\n" }, {
    path: "b.md",
    markdown: "# B",
  }];
  const [, list] = llmsIndex([{ title: "Start", pages }]).split("## Start\n\n");
  assertEquals(list, "- [A](a.md): Text.\n- [B](b.md)\n");
});

Deno.test("variantsOf() + an import has the name of its registry", () => {
  const code =
    'import { a } from "@irori/irori";\nimport b from "@irori/irori/testing";\nimport "zod";\n';
  const npm = 'import { a } from "irori";\nimport b from "irori/testing";\nimport "zod";\n';
  assertEquals(variantsOf("ts", code), all(code, npm, npm));
  assertEquals(variantsOf("ts", 'import "zod";'), []);
  assertEquals(variantsOf("yaml", code), []);
  for (const ofDeno of ['import "@std/assert";\n', "Deno.exit();\n"]) {
    assertEquals(variantsOf("ts", code + ofDeno), []);
  }
});

Deno.test("variantsOf() + the command line is called as the runtime does, whatever the page writes", () => {
  const code =
    "A=b irori plan | cat # irori\ndeno run -A jsr:@irori/irori/cli -c config # npx irori\n";
  assertEquals(
    variantsOf("sh", code),
    all(
      "A=b deno run -A jsr:@irori/irori/cli plan | cat # irori\ndeno run -A jsr:@irori/irori/cli -c config\n",
      "A=b npx irori plan | cat # irori\nnpx irori -c config\n",
      "A=b bunx irori plan | cat # irori\nbunx irori -c config\n",
    ),
  );
  assertEquals(variantsOf("sh", "esbuild main.ts\n"), []);
});

Deno.test("variantsOf() + packages are added as the runtime does", () => {
  assertEquals(
    variantsOf("sh", "npm install irori hono zod\nnpm install --save-dev vitest # tests\n"),
    all(
      "deno add jsr:@irori/irori npm:zod\ndeno add --dev npm:vitest # tests\n",
      "npm install irori hono zod\nnpm install --save-dev vitest # tests\n",
      "bun add irori hono zod\nbun add --dev vitest # tests\n",
    ),
  );
  assertEquals(
    variantsOf("sh", "npm install --ignore-scripts irori\n"),
    all(
      "deno add jsr:@irori/irori\n",
      "npm install --ignore-scripts irori\n",
      "bun add irori\n",
    ),
  );
});

Deno.test("variantsOf() + the commands of a generated project are those of its runtime", () => {
  assertEquals(
    variantsOf(
      "sh",
      "npm create irori my-app -- --runtime node\ncd my-app && npm install && npm test\n",
    ),
    all(
      "deno create jsr:@irori/irori -- my-app --runtime deno\ncd my-app && deno task test\n",
      "npm create irori my-app -- --runtime node\ncd my-app && npm install && npm test\n",
      "bunx --bun create-irori my-app --runtime bun\ncd my-app && bun install && bun test\n",
    ),
  );
  const code = "npm install\nA=b npm start\nnpm run check\nnpm run -s irori plan\nnpx tsx a.ts\n";
  assertEquals(
    variantsOf("sh", code),
    all(
      "A=b deno task start\ndeno task check\ndeno task irori plan\ndeno run -E -N a.ts\n",
      code,
      "bun install\nA=b bun run start\nbun run check\nbun run irori plan\nbun a.ts\n",
    ),
  );
  assertEquals(variantsOf("sh", "npm install --global a\n"), []);
});

Deno.test("importsOf() + the imports that a block begins with, and the empty lines behind them", () => {
  const code = 'import { a } from "a";\nimport {\n  b,\n} from "b";\n\na(b);\nimport "c";\n';
  assertEquals(importsOf(code), [0, 5]);
  assertEquals(importsOf("// main.ts\n" + code), [1, 6]);
  assertEquals(importsOf('import "a";\n\na();\n'), [0, 0]);
  assertEquals(importsOf('import "a";\nimport "b";\n'), [0, 0]);
  assertEquals(importsOf('const a = await import("a");\nimport("b");\n'), [0, 0]);
  assertEquals(importsOf('import("a");\nimport("b");\na();\n'), [0, 0]);
});

Deno.test("literalInlineCode() + Vue evaluates no code within a sentence", () => {
  const child = (type: string): Token => ({ type, tag: "", content: "{{a}}", info: "" });
  const children = [child("text"), child("code_inline")];
  const rules: ((state: State) => void)[] = [];
  literalInlineCode({ core: { ruler: { push: (_, rule) => void rules.push(rule) } } });
  const tokens = [{ ...child("inline"), children }, child("fence")];
  for (const rule of rules) rule({ tokens } as unknown as State);
  assertEquals(children.map(({ attrs }) => attrs), [undefined, [["v-pre", ""]]]);
});

Deno.test("breakableHtml() + a long name breaks between its words, and nowhere else", () => {
  const table = {
    "FAIL_ON_UNKNOWN": "FAIL_<wbr>ON_<wbr>UNKNOWN",
    "ValidationPipe": "Validation<wbr>Pipe",
    "jwt({ jwksUri })": "jwt({ jwksUri })",
    '@Roles("admin")': '@Roles(<wbr>"admin")',
    "GET /users/{userId}": "GET /users/{<wbr>user<wbr>Id}",
    "orders-<hash>-1": "orders-&lt;hash&gt;-1",
    "https://a.example": "https://<wbr>a.<wbr>example",
    "tests/users_test.ts": "tests/<wbr>users_<wbr>test.ts",
  };
  for (const [name, html] of Object.entries(table)) assertEquals(breakableHtml(name), html);
});

Deno.test("breakableNames() + code in the cells of a table breaks, code elsewhere does not", () => {
  const token = (type: string, children?: Token[]): Token => ({
    ...{ type, tag: "", content: "migrations.lint", info: "" },
    ...(children && { children }),
  });
  const inCell = token("code_inline");
  const inText = token("code_inline");
  const rules: ((state: State) => void)[] = [];
  breakableNames({ core: { ruler: { push: (_, rule) => void rules.push(rule) } } });
  const tokens = [token("td_open"), token("inline", [inCell]), token("inline", [inText])];
  for (const rule of rules) rule({ tokens, env: {} } as unknown as State);
  assertEquals([inCell.content, inText.content], [
    "<code v-pre>migrations.<wbr>lint</code>",
    "migrations.lint",
  ]);
});

Deno.test("withFrontMatter() + withoutFrontMatter() + a page has a line more, or none", () => {
  const line = "edit: https://example.org/a.md";
  const page = "# A\n\n---\n\nText.\n";
  assertEquals(withFrontMatter(page, line), `---\n${line}\n---\n\n${page}`);
  const before = `---\nkeywords: >-\n  a, b\n---\n\n${page}`;
  assertEquals(withFrontMatter(before, line), before.replace("---\n", `---\n${line}\n`));
  assertEquals(withoutFrontMatter(before), page);
  assertEquals(withoutFrontMatter(page), page);
});

Deno.test("docs/guide + every page has other words for the search", () => {
  const without = GROUPS.flatMap(({ pages }) => pages)
    .filter((page) => page.startsWith("docs/guide/"))
    .filter((page) => !/^---\nkeywords: >-\n/.test(Deno.readTextFileSync(page)));
  assertEquals(without, []);
});

function all(deno: string, node: string, bun: string): readonly Variant[] {
  return [
    { runtime: "Node", code: node },
    { runtime: "Deno", code: deno },
    { runtime: "Bun", code: bun },
  ];
}
