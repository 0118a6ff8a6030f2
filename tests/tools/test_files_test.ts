import { assert, assertEquals, assertThrows } from "@std/assert";
import { isOnlyInAll, ONLY_IN_ALL, withoutTests } from "../../tools/_only_in_all.ts";
import { casesOf, merged, withFiles } from "../../tools/_report.ts";
import { PARTS, shardOf, SLOW_FIRST, testFiles } from "../../tools/_test_files.ts";

const all = await testFiles(["tests", "examples"], false);
const fileOf = (path: string) => all.find((file) => file.path === path);

Deno.test("testFiles() + finds what a file needs, and the part that it belongs to", () => {
  const rows = Object.fromEntries(
    [
      "tests/documents_test.ts",
      "tests/migrations/search/contract_test.ts",
      "tests/migrations/sql/locks_test.ts",
      "tests/migrations/runner/order_test.ts",
      "tests/runtimes/web_test.ts",
      "tests/runtimes/databases_test.ts",
      "tests/examples/starters_test.ts",
      "tests/features/openapi/swagger_ui_browser_test.ts",
    ].map((path) => [path, [fileOf(path)?.part, ...[...fileOf(path)?.needs ?? []].sort()]]),
  );
  assertEquals(rows, {
    "tests/documents_test.ts": ["web"],
    "tests/migrations/search/contract_test.ts": ["migrations", "search"],
    "tests/migrations/sql/locks_test.ts": ["migrations", "sql"],
    "tests/migrations/runner/order_test.ts": ["migrations"],
    "tests/runtimes/web_test.ts": ["runtimes", "package"],
    "tests/runtimes/databases_test.ts": ["runtimes", "package", "sql"],
    "tests/examples/starters_test.ts": ["migrations", "package", "search"],
    "tests/features/openapi/swagger_ui_browser_test.ts": ["web", "chromium"],
  });
});

Deno.test("testFiles() + has slow files first, and leaves out those of 'deno task test:all'", async () => {
  const paths = all.map(({ path }) => path);
  assertEquals(paths.slice(0, SLOW_FIRST.length), SLOW_FIRST);
  const sample = (await testFiles(["tests", "examples"], true)).map(({ path }) => path);
  const missing = paths.filter((path) => !sample.includes(path));
  const whole = ONLY_IN_ALL.filter(({ titles }) => titles === undefined);
  assertEquals(missing.sort(), whole.map(({ file }) => file).sort());
});

Deno.test("shardOf() + gives every file to one shard", () => {
  const shards = ["1/3", "2/3", "3/3"].map((shard) => shardOf([1, 2, 3, 4, 5, 6, 7], shard));
  assertEquals(shards, [[1, 4, 7], [2, 5], [3, 6]]);
  for (const wrong of ["4/3", "0/3", "half"]) {
    assertThrows(() => shardOf([1], wrong), Error, "Expected a shard such as 2/3");
  }
  for (const part of PARTS) assert(all.some((file) => file.part === part), part);
});

Deno.test("ONLY_IN_ALL + names files that there are, and an entry without tests is found", () => {
  for (const { file } of ONLY_IN_ALL) assert(fileOf(file) !== undefined, file);
  const file = "tests/runtimes/jobs_test.ts";
  assertEquals(
    [isOnlyInAll(file), isOnlyInAll(file, "a on Node 24"), isOnlyInAll(file, "a on Node 22")],
    [false, true, false],
  );
  const tests = ONLY_IN_ALL.map(({ file }) => ({ path: file, title: "a" }));
  const found = withoutTests(tests).filter((entry) => entry.titles === undefined);
  assertEquals(found, []);
  assert(withoutTests(tests).some((entry) => entry.file === file));
  assertEquals(withoutTests([]), ONLY_IN_ALL);
});

Deno.test("withFiles() + names the files that tests are in, where a helper registers them", () => {
  const report = merged([
    '<testsuites><testcase name="a &gt; b &amp; c" classname="./tests/servers/real.ts" time="0.5">' +
    '<failure message="x"></failure></testcase></testsuites>',
    '<testsuites name="x"><testcase name="d" classname="./tests/d_test.ts" time="0.1" line="3" col="4">' +
    "\n<skipped/></testcase></testsuites>",
  ]);
  const output =
    "\u001b[38;5;245m./tests/a_test.ts => \u001b[0ma > b & c ... \u001b[31mFAILED\u001b[0m (5ms)\n";
  assertEquals(casesOf(withFiles(report, output)), [
    { path: "tests/a_test.ts", title: "a > b & c", seconds: 0.5, isSkipped: false, isFailed: true },
    { path: "tests/d_test.ts", title: "d", seconds: 0.1, isSkipped: true, isFailed: false },
  ]);
});

Deno.test("withFiles() + keeps the file that the report has where the output has it, too", () => {
  const cases = ["tests/servers/real.ts", "tests/b_test.ts", "tests/a_test.ts"]
    .map((path) => `<testcase name="same" classname="./${path}" time="0">`).join("");
  const output = ["a", "b", "c"].map((name) => `./tests/${name}_test.ts => same ... ok (5ms)\n`);
  assertEquals(
    casesOf(withFiles(cases, output.join(""))).map(({ path }) => path),
    ["tests/c_test.ts", "tests/b_test.ts", "tests/a_test.ts"],
  );
});
