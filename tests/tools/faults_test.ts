import { assertEquals } from "@std/assert";
import { failedIn } from "../../tools/_fault_runs.ts";
import { drawn, faultsOf } from "../../tools/_faults.ts";

const changes = (source: string) => faultsOf("a.ts", source).map(({ change }) => change);

Deno.test("faults turn conditions round, and exchange comparisons and fallbacks", () => {
  assertEquals(changes("if (a < 1) b();"), [
    "a < 1 → !(a < 1)",
    "a < 1 → a <= 1",
    "1 → 2",
    "b(); → undefined;",
  ]);
  assertEquals(changes("const c = d ?? e;"), ["d ?? e → e"]);
  assertEquals(changes("const c = d && !e ? true : f;"), [
    "d && !e → !(d && !e)",
    "d && !e → d || !e",
    "true → false",
  ]);
});

Deno.test("faults keep parentheses", () => {
  const [fault] = faultsOf("a.ts", "const a = (b = c()) !== (d || undefined);");
  assertEquals(fault?.source, "const a = (b = c()) === (d || undefined);");
});

Deno.test("faults leave types alone, and no expression beside one", () => {
  assertEquals(changes("const a = b(c && d) as 1 | 2;"), ["c && d → c || d"]);
  assertEquals(changes("class A { constructor(readonly b: 1 | 2 = 1) {} }"), ["1 → 2"]);
  assertEquals(changes("type A = { readonly b: 1 | true };\nconst c: A<1> = d;"), []);
});

Deno.test("faults leave out a call that is awaited", () => {
  const [fault] = faultsOf("a.ts", "await b();\nc = 1 as const;\n");
  assertEquals(fault?.source, "undefined;\nc = 1 as const;\n");
});

Deno.test("a draw is the same where other sources change", async () => {
  const before = await drawn(["a", "b", "c", "d", "e"], 1, String);
  const after = await drawn(["e", "x", "c", "a"], 1, String);
  assertEquals(after.filter((one) => one !== "x"), before.filter((one) => after.includes(one)));
  assertEquals(await drawn(["e", "d", "c", "b", "a"], 1, String), before);
});

Deno.test("a test that has not ended when its run is interrupted has failed", () => {
  const output = `./tests/a_test.ts => one ... ok (1ms)
tests/a_test.ts => two ... FAILED (2ms)
SIGINT The following tests were pending:

outer ... never => ./tests/b_test.ts:1:43
`;
  assertEquals(failedIn(output), ["tests/a_test.ts => two", "tests/b_test.ts => outer ... never"]);
});
