import { assertEquals, assertGreater } from "@std/assert";
import { middlewareContract } from "../contracts/middleware_contract.ts";

Deno.test("middleware + sees and changes what it does in Hono", async (t) => {
  const outcomes = await middlewareContract();
  assertGreater(outcomes.length, 1900);
  for (const { name, hono, found } of outcomes) {
    if (found !== hono) await t.step(name, () => assertEquals(found, hono));
  }
});
