import { assertEquals, assertObjectMatch, assertThrows } from "@std/assert";
import { reportArguments, testArguments } from "../../tools/_arguments.ts";

Deno.test("testArguments() + has paths, own options and those of 'deno test'", () => {
  assertObjectMatch(testArguments([]), { command: "test", isWhole: true });
  const args = ["tests/web", "--filter", "a b", "--fail-fast", "--servers=none", "--report", "x"];
  const reason = "left out by '--servers none'";
  assertObjectMatch(testArguments(args), {
    paths: ["tests/web"],
    flags: ["--filter=a b", "--fail-fast"],
    leftOut: new Map([["sql", reason], ["search", reason]]),
    report: "x",
    isWhole: false,
  });
});

Deno.test("testArguments() + the commit after '--changed' may be absent", () => {
  const changed = (...args: readonly string[]) => testArguments(args).changed;
  assertEquals(changed("--changed"), "");
  assertEquals(changed("--changed", "--list"), "");
  assertEquals(changed("--changed", "main~3"), "main~3");
  assertEquals(changed("--changed=main~3"), "main~3");
});

Deno.test("testArguments() + a part or a shard is no whole run, but of one", () => {
  for (const args of [["--part", "web"], ["--shard", "1/2"]]) {
    assertObjectMatch(testArguments(args), { isOfWhole: true, isWhole: false });
  }
  for (const args of [["tests"], ["--filter", "a"], ["--changed"], ["--servers", "sql"]]) {
    assertObjectMatch(testArguments(args), { isOfWhole: false, isWhole: false });
  }
});

Deno.test("testArguments() and reportArguments() + refuse what is wrong with a sentence", () => {
  const rows = [
    [["--part", "x"], "Unknown part 'x': expected one of checks, web, migrations, runtimes"],
    [["--servers", "x"], "Unknown servers 'x': expected one of all, sql, search, none"],
    [["--shard", "4/3"], "Expected a shard such as 2/3: 4/3"],
    [["--report"], "--report"],
    [["--report="], "'--report' needs the name of a file"],
    [["--unknown"], "Unknown option '--unknown'"],
    [["--changed", "--part", "web"], "leave out paths and '--part'"],
    [["--part", "checks", "tests/text"], "'--part checks' runs no tests"],
    [["--write-counts", "--shard", "1/2"], "'--write-counts' needs all tests"],
  ] as const;
  for (const [args, message] of rows) assertThrows(() => testArguments(args), Error, message);
  assertThrows(() => reportArguments([]), Error, "Name reports");
  assertThrows(() => reportArguments(["a", "--expect", "foo"]), Error, "Unknown expect 'foo'");
  assertThrows(() => reportArguments(["a", "--top", "foo"]), Error, "Unknown top 'foo'");
  assertObjectMatch(reportArguments(["a", "--expect", "test"]), { files: ["a"], expect: "test" });
});
