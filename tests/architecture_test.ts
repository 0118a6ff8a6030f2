import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { fromFileUrl, relative } from "@std/path";
import { ROOMS, violations } from "./architecture/rules.ts";

const ROOT = fromFileUrl(new URL("..", import.meta.url));

async function sources(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of ["mod.ts", "cli.ts"]) found.set(name, await Deno.readTextFile(ROOT + name));
  for await (const { path } of walk(`${ROOT}src`, { includeDirs: false })) {
    found.set(relative(ROOT, path).replaceAll("\\", "/"), await Deno.readTextFile(path));
  }
  return found;
}

Deno.test("rooms import downwards, through doors, without cycles", async () => {
  assertEquals(violations(await sources()), []);
});

Deno.test("every folder of src is a room with a door that says what it is", async () => {
  const files = await sources();
  const rooms = [...files.keys()].map((path) => path.split("/")[1]).filter((room) =>
    room !== undefined
  );
  for (const room of new Set(rooms)) {
    assertEquals(ROOMS.includes(room), true, room);
    assertEquals(files.get(`src/${room}/mod.ts`)?.includes("@module"), true, room);
  }
});

Deno.test("each rule can be broken", () => {
  const table: [path: string, code: string, expected: string[]][] = [
    ["src/http/a.ts", 'import { x } from "../config/mod.ts";', []],
    ["src/http/a.ts", 'import type { x } from "../web/mod.ts";', [
      "imports 'web', which is above it",
    ]],
    ["src/app/a.ts", 'export * from "../web/compile.ts";', ["imports past the door of 'web'"]],
    ["src/web/a.ts", 'import {\n  a,\n  b,\n} from "./mod.ts";', ["imports its own mod.ts"]],
    ["src/sql/a.ts", 'import "../http/mod.ts";', ["imports 'http' of the other half"]],
    ["src/web/a.ts", 'await import("../sql/mod.ts")', ["imports 'sql', which is above it"]],
    ["src/web/a.ts", 'import "../../tests/x.ts";', ["imports 'tests/x.ts', which is not in src"]],
    ["src/web/a.ts", 'import "node:fs";', ["imports 'node:fs'"]],
    ["src/runtime/a.ts", 'import "node:fs"; Deno.exit()', []],
    ["src/web/a.ts", "Deno.exit()", ["names 'Deno'"]],
    ["src/web/a.ts", "globalThis.process?.env", ["names 'process'"]],
    ["src/web/a.ts", '// Deno.exit()\n/** process.env */ "Bun.serve"', []],
    ["src/web/a.ts", "@Component()\nclass A {}", ["has decorator syntax"]],
    ["cli.ts", 'import "./src/cli/main.ts";', ["imports past the door of 'cli'"]],
  ];
  for (const [path, code, expected] of table) {
    const found = violations(new Map([[path, code]]));
    assertEquals(found, expected.map((problem) => `${path}: ${problem}`), code);
  }
  const circle = new Map([
    ["src/web/a.ts", 'import type { b } from "./b.ts";'],
    ["src/web/b.ts", 'import { a } from "./a.ts";'],
  ]);
  assertEquals(violations(circle), ["cycle: src/web/a.ts → src/web/b.ts → src/web/a.ts"]);
});
