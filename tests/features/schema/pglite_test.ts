/** PGlite and its `pg_dump`: in a thread, for schemas of each size, with an end. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SchemaError } from "../../../src/features/schema/engine.ts";
import { dumpPglite, inEmptyPglite } from "../../../src/features/schema/pglite.ts";
import { depth } from "../../long/mod.ts";

const ENDLESS = "DO $$ BEGIN LOOP END LOOP; END $$";

/** So many tables that `pg_dump` locks them in one statement, and its message is longer than 8 KiB. */
function tables(count: number): string {
  return Array.from({ length: count }, (_, i) => {
    return `CREATE TABLE table_with_a_name_${i} (id bigint PRIMARY KEY, name text);\n`;
  }).join("");
}

Deno.test("dumpPglite + ends for schemas whose lock message pg_dump sends in parts", async () => {
  const count = depth(400, 2000);
  let turns = 0;
  const timer = setInterval(() => turns++, 10);
  const schema = await inEmptyPglite([], {}, async (pglite) => {
    await pglite.exec(tables(count));
    await pglite.exec(`CREATE TABLE last (id int CHECK (id > 0 OR '${"x".repeat(70_000)}' = ''))`);
    return await dumpPglite(pglite);
  });
  clearInterval(timer);
  assertEquals(schema.match(/^CREATE TABLE/gm)?.length, count + 1);
  assertEquals(schema.match(/ADD CONSTRAINT \S+_pkey/g)?.length, count);
  assert(schema.includes("x".repeat(70_000)));
  assert(turns > 20, `The event loop turned ${turns} times`);
});

Deno.test("inEmptyPglite + ends at the signal, whatever the database does", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  let abortedAt = 0;
  await assertRejects(
    () =>
      inEmptyPglite([], { signal: stop.signal }, async (pglite) => {
        const work = pglite.exec(ENDLESS);
        abortedAt = performance.now();
        stop.abort(reason);
        await work;
      }),
    Error,
    "stopped",
  );
  assert(performance.now() - abortedAt < 10_000);
});

Deno.test("inEmptyPglite + ends after its limit, with an error that names --url", async () => {
  const { setTimeout } = globalThis;
  let pass: (() => void) | undefined;
  globalThis.setTimeout = ((action: () => void, ms?: number) => {
    if (ms === 300_000) pass = action;
    return setTimeout(action, ms);
  }) as typeof setTimeout;
  try {
    const work = inEmptyPglite([], {}, async (pglite) => {
      const answer = pglite.exec(ENDLESS);
      pass!();
      await answer;
    });
    await assertRejects(() => work, SchemaError, "pass the URL of an empty database");
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});
