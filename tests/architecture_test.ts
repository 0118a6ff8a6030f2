import { assertEquals, assertMatch } from "@std/assert";
import { walk } from "@std/fs/walk";
import { dirname, join } from "@std/path/posix";
import { FEATURES } from "./architecture/features.ts";
import { CORE, layerOf, LAYERS, unusedPermissions, violations } from "./architecture/rules.ts";
import { publishedSources } from "./architecture/sources.ts";

Deno.test("layers import downwards, through mod.ts, without cycles", async () => {
  assertEquals(violations(await publishedSources()), []);
});

Deno.test("whatever the tables of the architecture allow is used", async () => {
  assertEquals(unusedPermissions(await publishedSources()), []);
});

Deno.test("every layer of src has a mod.ts that describes it", async () => {
  const files = await publishedSources();
  const layers = [...files.keys()].map(layerOf).filter((layer) => layer !== undefined);
  assertEquals([...new Set(layers)].filter((layer) => !LAYERS.includes(layer)), []);
  for (const layer of CORE) {
    assertEquals(files.get(`src/${layer}/mod.ts`)?.startsWith("/**"), true, layer);
  }
});

Deno.test("ARCHITECTURE.md has a row for each feature, and its paths exist", async () => {
  const text = await Deno.readTextFile("ARCHITECTURE.md");
  const features = text.slice(text.indexOf("### The features"));
  const rows: string[] = features.match(/(?<=^\| `)\w+(?=\/` )/gm) ?? [];
  assertEquals(rows.toSorted(), Object.keys(FEATURES).toSorted());
  const missing: string[] = [];
  for (const [, path = ""] of text.matchAll(/`([\w-]+\/[\w/-]+(?:\/|\.ts|\.md))`/g)) {
    const found = ["", "src/"].map((root) => Deno.lstat(root + path).then(() => true, () => false));
    if (!(await Promise.all(found)).includes(true)) missing.push(path);
  }
  assertEquals(missing, []);
});

/** Tests of the core on real servers that still need features. */
const WITH_FEATURES = [
  "tests/migrations/search/elasticsearch_test.ts",
  "tests/migrations/search/kinds_applied_test.ts",
  "tests/migrations/search/kinds_property_test.ts",
  "tests/migrations/search/rights_test.ts",
  "tests/migrations/search/values_test.ts",
  "tests/migrations/sql/cut_off_records_test.ts",
  "tests/migrations/sql/foreign/first_run_test.ts",
  "tests/migrations/sql/locks_test.ts",
  "tests/migrations/sql/process_child.ts",
];

const OF_FEATURE =
  /^(?:src|tests)\/features\/.*\/|^(?:@irori\/)?irori\/(?!(?:edge|http|migrations)$)/;

/** By the files that have them. */
const PORTS = {
  "src/migrations/runner/types.ts": ["Journal", "Classifier", "Executor"],
  "src/migrations/runner/moments.ts": ["Session", "Target"],
  "src/migrations/sql/types.ts": ["Dialect", "Database", "Transactions", "Steps"],
};

Deno.test("ports have no optional members", async () => {
  for (const [path, ports] of Object.entries(PORTS)) {
    const text = await Deno.readTextFile(path);
    for (const port of ports) {
      const pattern = new RegExp(`^export interface ${port}\\b[^{]*\\{$(.*?)^\\}$`, "ms");
      const [, members = ""] = pattern.exec(text) ?? [];
      assertMatch(members, /^ {2}\w/m, port);
      assertEquals(members.match(/^ {2}(?:readonly )?\w+\?.*$/gm) ?? [], [], port);
    }
  }
});

Deno.test("tests of the core import no feature", async () => {
  const found = new Set<string>();
  for (const folder of new Set(CORE.map((layer) => `tests/${layer.replace(/\/.*/, "")}`))) {
    for await (const { path } of walk(folder, { includeDirs: false })) {
      if (!path.endsWith(".ts")) continue;
      const text = await Deno.readTextFile(path);
      for (const [, specifier = ""] of text.matchAll(/^(?:import|export|\}).* from "(.+)"/gm)) {
        const target = specifier.startsWith(".") ? join(dirname(path), specifier) : specifier;
        if (OF_FEATURE.test(target)) found.add(path);
      }
    }
  }
  assertEquals([...found].sort(), WITH_FEATURES);
});

Deno.test("each rule can be broken", () => {
  const table: [path: string, code: string, expected: string[]][] = [
    ["src/http/a.ts", 'import { x } from "../config/mod.ts";', []],
    ["src/http/a.ts", 'import type { x } from "../web/mod.ts";', [
      "imports 'web', which is above it",
    ]],
    ["src/web/bind/a.ts", 'import "../serve/b.ts";', [
      "imports 'web/serve', which is above 'web/bind'",
    ]],
    ["src/web/types.ts", 'import "./path/b.ts";', ["imports 'web/path', which is above 'web/'"]],
    ["src/app/a.ts", 'export * from "../web/compile.ts";', ["imports past the mod.ts of 'web'"]],
    ["src/migrations/a.ts", 'import "../runtime/client.ts";', []],
    ["src/migrations/sql/a.ts", 'import "../runner/mod.ts";', []],
    ["src/migrations/sql/a.ts", 'import "../runner/run.ts";', [
      "imports past the mod.ts of 'migrations/runner'",
    ]],
    ["src/migrations/sql/a.ts", 'import "../mod.ts";', [
      "imports 'migrations', which is above it",
    ]],
    ["src/app/a.ts", 'import "../runtime/client.ts";', ["imports past the mod.ts of 'runtime'"]],
    ["src/web/a.ts", 'import {\n  a,\n  b,\n} from "./mod.ts";', ["imports its own mod.ts"]],
    ["src/migrations/sql/a.ts", 'import "../../http/mod.ts";', [
      "imports 'http' of the other half",
    ]],
    ["src/web/a.ts", 'await import("../migrations/sql/mod.ts")', [
      "imports 'migrations/sql', which is above it",
    ]],
    ["src/web/a.ts", 'import "../../tests/x.ts";', ["imports 'tests/x.ts', which is not in src"]],
    ["src/web/a.ts", 'import "../../links/x.ts";', ["imports 'links/x.ts', which is not in src"]],
    ["src/web/a.ts", 'import "../../mod.ts";', ["imports 'mod.ts', which is in no layer"]],
    ["src/web/a.ts", 'import "npm:hono@4";', ["imports 'npm:hono@4' past the import map"]],
    ["src/web/a.ts", 'import "hono";', []],
    ["src/web/a.ts", "import(name)", ["imports a computed name"]],
    ["src/migrations/sql/connect/import_driver.ts", "import(name)", []],
    ["src/web/a.ts", 'import "node:fs";', ["imports 'node:fs'"]],
    ["src/runtime/a.ts", 'import("node:fs"); Deno.exit()', []],
    ["src/runtime/a.ts", 'import type { Stats } from "node:fs";', []],
    ["src/runtime/a.ts", 'import "node:fs";', ["imports 'node:fs' at its head"]],
    ["src/http/a.ts", 'let a: import("../web/types.ts").A;', ["imports past the mod.ts of 'web'"]],
    ["src/http/a.ts", 'const a = "*/*", b = "/*";\nimport "../web/mod.ts";', [
      "imports 'web', which is above it",
    ]],
    ["src/web/a.ts", "let conn: Deno.Conn;", ["names 'Deno'"]],
    ["src/web/a.ts", '"Bun" in globalThis', ["names 'Bun'"]],
    ["src/web/a.ts", 'globalThis["Deno"]', ["names 'Deno'"]],
    ["src/web/a.ts", "const { process } = globalThis;", ["names 'process'"]],
    ["src/web/a.ts", "const a = { process: 1 }; a.process; class B { process() {} }", []],
    ["src/web/a.ts", "Deno.exit()", ["names 'Deno'"]],
    ["src/web/a.ts", "globalThis.process?.env", ["names 'process'"]],
    ["src/web/a.ts", '// Deno.exit()\n/** process.env */ "Bun.serve"', []],
    ["src/web/a.ts", "@Component()\nclass A {}", ["has decorator syntax"]],
    ["src/web/a.ts", "class A { @Bean a() {} }", ["has decorator syntax"]],
    ["src/web/a.ts", "/** @Component() class A {} */", []],
    ["src/features/lint/a.ts", 'import "../../migrations/sql/types.ts";', []],
    ["src/features/security/a.ts", 'import "../context/mod.ts";', []],
    ["src/features/security/a.ts", 'import "../../web/types.ts";', [
      "imports past the mod.ts of 'web'",
    ]],
    ["src/features/lint/a.ts", 'import "../reindex/mod.ts";', [
      "imports the feature 'reindex', which its table does not name",
    ]],
    ["src/features/lint/a.ts", 'import "../../web/mod.ts";', [
      "imports 'web' of the other half",
    ]],
    ["src/features/none/a.ts", "export {};", [
      "is in no layer",
    ]],
    ["src/migrations/a.ts", 'await import("../features/drift/a.ts")', [
      "imports the feature 'drift'",
    ]],
    ["src/web/a.ts", 'import type { A } from "../features/files/mod.ts";', [
      "imports the feature 'files'",
    ]],
    ["src/features/web.ts", 'await import("./files/command.ts")', []],
    ["src/web/a.ts", 'import "../features/web.ts";', ["imports 'features', which is above it"]],
    ["cli.ts", 'import "./src/cli/mod.ts";', []],
    ["cli.ts", 'import "./src/cli/main.ts";', ["imports past the mod.ts of 'cli'"]],
  ];
  for (const [path, code, expected] of table) {
    const found = violations(new Map([[path, code]]));
    assertEquals(found, expected.map((problem) => `${path}: ${problem}`), code);
  }
  const registry = new Map([
    ["src/features/migrations.ts", 'import { main } from "../cli/mod.ts";'],
    ["src/cli/mod.ts", 'const a = () => import("./a.ts");'],
    ["src/cli/a.ts", 'import type { Hono } from "hono";\nawait import("../web/mod.ts");'],
  ]);
  assertEquals(violations(registry), [
    "src/features/migrations.ts: reaches 'hono' by way of src/cli/a.ts",
    "src/features/migrations.ts: reaches 'src/web/mod.ts' by way of src/cli/a.ts",
  ]);
  const circle = new Map([
    ["src/web/a.ts", 'import type { b } from "./b.ts";'],
    ["src/web/b.ts", 'import { a } from "./a.ts";'],
  ]);
  assertEquals(violations(circle), ["cycle: src/web/a.ts → src/web/b.ts → src/web/a.ts"]);
});
