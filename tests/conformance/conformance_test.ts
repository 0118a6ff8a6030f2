import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { conformanceApp } from "./app.ts";
import { cases } from "./cases/mod.ts";
import { quietly } from "./quietly.ts";
import { rawConformance } from "./raw_runner.ts";
import { conformance } from "./runner.ts";
import { socketConformance } from "./socket.ts";
import type { Outcome } from "./types.ts";

Deno.test("conformance + has 150 cases or more, each with a name of its own", () => {
  assertEquals(new Set(cases.map(({ name }) => name)).size, cases.length);
  assertGreaterOrEqual(cases.length, 150);
});

Deno.test("conformance + in process", async (t) => {
  await using app = await conformanceApp();
  await report(t, await quietly(() => conformance(app.fetch)));
});

Deno.test("conformance + over a socket", async (t) => {
  await using app = await conformanceApp();
  const { url } = await quietly(() => app.listen());
  await report(t, await quietly(() => conformance(url)));
});

Deno.test("conformance + byte for byte over a socket", async (t) => {
  await using app = await conformanceApp();
  const { address, port } = await quietly(() => app.listen());
  const outcomes = await quietly(() => rawConformance(address, port));
  // Deno does not say which version of HTTP a request has.
  await report(t, outcomes.filter(({ name }) => name !== "raw: HTTP/1.1 without 'Host'"));
});

Deno.test("conformance + a WebSocket", async () => {
  await using app = await conformanceApp();
  const { url } = await quietly(() => app.listen());
  assertEquals(await socketConformance(url), []);
});

async function report(t: Deno.TestContext, outcomes: readonly Outcome[]): Promise<void> {
  for (const { name, failures } of outcomes) {
    await t.step(name, () => assertEquals(failures, []));
  }
}
