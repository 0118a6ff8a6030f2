import { assertEquals, assertMatch } from "@std/assert";
import expected from "../expected_counts.json" with { type: "json" };
import { describeTally, shortfalls, tally } from "../../tools/_tally.ts";

const REPORT = `<testsuites>
  <testcase name="cli applies (OpenSearch 2, plain)" classname="./a_test.ts" time="0.1" line="1" col="6">
  </testcase>
  <testcase name="cli applies (OpenSearch 3, plain) [skipped: no JDK]" classname="./a_test.ts">
    <skipped/>
  </testcase>
  <testcase name="Node 22 + a &gt; b">
    <failure message="x">Error: PostgreSQL</failure>
  </testcase>
  <testcase name="Node 22 + a &gt; b &gt; a step on Bun">
  </testcase>
  <testcase name="classifySql refuses &quot;COPY&quot; for PostgreSQL">
  </testcase>
</testsuites>`;

Deno.test("tally() counts tests by server and runtime, those that failed too, and no steps", () => {
  const { all, ...found } = tally(REPORT);
  assertEquals(all, { ran: 3, skipped: 1 });
  const some = Object.entries(found).filter(([, { ran, skipped }]) => ran + skipped > 0);
  assertEquals(Object.fromEntries(some), {
    "OpenSearch 2": { ran: 1, skipped: 0 },
    "OpenSearch 3": { ran: 0, skipped: 1 },
    "Node 22": { ran: 1, skipped: 0 },
  });
  assertEquals(describeTally({ a: { ran: 0, skipped: 12 } }), ["       0  a (12 skipped)"]);
});

Deno.test("shortfalls() finds tests that are not registered, and accepts skipped and new ones", () => {
  const found = tally(REPORT);
  assertEquals(
    shortfalls("test", found, { "OpenSearch 2": 1, "OpenSearch 3": 1, "Node 22": 0 }),
    [],
  );
  const [first, ...more] = shortfalls("test", found, { "OpenSearch 3": 80, all: 4 });
  assertEquals(more, []);
  assertMatch(
    first!,
    /^OpenSearch 3: found 1 tests of 'deno task test', expected at least 80\. .*'deno task test:count'/,
  );
  assertEquals(shortfalls("test", found, { "a server that no test names": 1 }).length, 1);
  for (const command of ["test", "test:all"] as const) {
    const counts = expected[command];
    assertEquals(shortfalls(command, tally(""), counts).length, Object.keys(counts).length);
  }
});

Deno.test("expected_counts.json expects tests of every server and runtime", () => {
  assertEquals(Object.keys(expected), ["test", "test:all"]);
  for (const counts of Object.values(expected)) {
    assertEquals(Object.keys(counts), Object.keys(tally("")));
    assertEquals(Object.entries(counts).filter(([, count]) => count === 0), []);
  }
});
