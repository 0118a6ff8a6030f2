import { assertEquals, assertLessOrEqual } from "@std/assert";
import { testArguments } from "../../tools/_arguments.ts";
import {
  aboveBudgets,
  folderOf,
  foldersIn,
  LIMIT,
  readBudgets,
  splitSeconds,
  withFolders,
} from "../../tools/_budgets.ts";
import { withoutNeeds } from "../../tools/_groups.ts";
import { merged } from "../../tools/_report.ts";
import { describeSkipped } from "../../tools/_skipped.ts";
import { testFiles } from "../../tools/_test_files.ts";

Deno.test("budgets + each folder of tests has one, and their sum is within the limit", async () => {
  const budgets = await readBudgets();
  const files = await testFiles(["tests", "examples"], true);
  const folders = new Set(files.map(({ path }) => folderOf(path)));
  assertEquals(Object.keys(budgets), [...folders].sort());
  assertLessOrEqual(Object.values(budgets).reduce((sum, budget) => sum + budget, 0), LIMIT);
});

Deno.test("splitSeconds() + gives a folder the share of its tests, of steps and of servers", () => {
  const alone = report(["tests/web/a_test.ts", "a", 3], ["tests/http/b_test.ts", "b", 1]);
  const served = report(
    ["tests/migrations/sql/c_test.ts", "c on PostgreSQL", 1],
    ["tests/features/jobs/d_test.ts", "d on MariaDB", 1],
    ["tests/migrations/search/e_test.ts", "e (OpenSearch 3, plain)", 2],
  );
  const folders = splitSeconds({ alone, served }, {
    alone: 8,
    served: 4,
    "SQL servers": 10,
    "OpenSearch 3": 7,
    "Elasticsearch 9": 1,
  });
  const expected = {
    "tests/web": 6,
    "tests/http": 2,
    "tests/migrations/sql": 6,
    "tests/features/jobs": 6,
    "tests/migrations/search": 9,
  };
  assertEquals(folders, expected);
  const both = merged([
    withFolders(alone, { "tests/web": 1.5 }, "test"),
    withFolders(served, { "tests/web": 2, "tests/http": 1 }, "test"),
    withFolders(served, { "tests/web": 100 }, "test:all"),
  ]);
  assertEquals(foldersIn(both), { "tests/web": 3.5, "tests/http": 1 });
});

Deno.test("aboveBudgets() + names folders above their budget by half, and those without one", () => {
  const folders = { "tests/web": 15, "tests/http": 15.2, "tests/new": 1 };
  assertEquals(aboveBudgets(folders, { "tests/web": 10, "tests/http": 10 }), [
    "tests/http: took 15.2 s of processor time, expected at most 15 s, its budget of 10 s and a half. " +
    "Make its tests faster, or leave some to 'deno task test:all'",
    "tests/new: took 1.0 s, and has no budget. Add it to 'tests/budgets.json'",
  ]);
});

Deno.test("withoutNeeds() + leaves out servers, and says why to the tests", async () => {
  const files = await testFiles(
    ["tests/runtimes/databases_test.ts", "tests/migrations/search"],
    true,
  );
  const left = (...args: readonly string[]) => {
    const { files: own, env } = withoutNeeds(files, testArguments(args).leftOut);
    return [[...new Set(own.flatMap(({ needs }) => [...needs]))].sort(), Object.keys(env).length];
  };
  assertEquals(left(), [["package", "search", "sql"], 0]);
  assertEquals(left("--servers", "sql"), [["package", "sql"], 4]);
  assertEquals(left("--servers", "search"), [["package", "search"], 3]);
  assertEquals(left("--servers", "none"), [["package"], 7]);
  const { env } = withoutNeeds(files, new Map([["sql", "the reason"]]));
  const prefixes = ["TEST_PG", "TEST_PGBOUNCER", "TEST_MYSQL"];
  assertEquals(env, Object.fromEntries(prefixes.map((name) => [`${name}_MISSING`, "the reason"])));
});

Deno.test("describeSkipped() + counts skipped tests by reason and folder", () => {
  const skipped = report(
    ["tests/web/a_test.ts", "a", 3],
    ["tests/e2e/a_test.ts", "b [skipped: no server]", 0, "<skipped/>"],
    ["tests/web/b_test.ts", "c [skipped: no server]", 0, "<skipped/>"],
    ["tests/web/b_test.ts", "d [skipped: no server]", 0, "<skipped/>"],
    ["tests/web/b_test.ts", "e", 0, "<skipped/>"],
    ["tests/migrations/sql/c_test.ts", "f on MariaDB", 0, "<skipped/>"],
  );
  assertEquals(describeSkipped(skipped), [
    "skipped: 3 tests, no server: tests/e2e 1, tests/web 2",
    "skipped: 1 test, by the test itself: tests/web 1",
    "skipped: 1 test, by the test itself, which names MariaDB: tests/migrations/sql 1",
  ]);
});

function report(
  ...tests: readonly (readonly [path: string, title: string, seconds: number, outcome?: string])[]
): string {
  const cases = tests.map(([path, title, seconds, outcome = ""]) =>
    `<testcase name="${title}" classname="./${path}" time="${seconds}">${outcome}</testcase>`
  );
  return `<testsuites><testsuite>${cases.join("")}</testsuite></testsuites>`;
}
