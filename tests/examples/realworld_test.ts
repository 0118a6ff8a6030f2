import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { started } from "../e2e/command_line.ts";
import { checkContract } from "./check_contract.ts";
import { followOnEachRuntime } from "./on_each_runtime.ts";

Deno.test("examples/realworld + has the contract that 'irori contract' writes", () =>
  checkContract("examples/realworld"));

Deno.test("examples/realworld + has the types that 'irori types' writes", async () => {
  const args = ["types", "--out", "src/database/tables.ts", "--check"];
  const { code, stdout, stderr } = await started(args, "examples/realworld");
  assertEquals(code, 0, stdout + stderr);
});

followOnEachRuntime("realworld", {
  answers(printed) {
    assertMatch(printed, /^\{"article":\{"slug":"notes-[\da-f]{8}",.*"favoritesCount":1,/);
    assertStringIncludes(printed, '"body":"Indeed","author":{"username":"ada",');
    assertStringIncludes(printed, '"articlesCount":1}');
    assertStringIncludes(printed, '{"errors":{"article":["not found"]}}');
  },
  tested(printed) {
    for (const title of ["a typed client writes", "who may do what"]) {
      assertStringIncludes(printed, title);
    }
    // Each part of the specification says how many it has, so that none is lost unnoticed.
    const counts = printed.matchAll(/: (\d+) assertions/g).map(([, count]) => Number(count));
    assertEquals(counts.reduce((sum, count) => sum + count, 0), 1741);
  },
});
