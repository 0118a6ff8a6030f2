import { assertEquals } from "@std/assert";
import { middlewareContract } from "../contracts/middleware_contract.ts";

Deno.test("middleware + sees and changes what it does in Hono", async (t) => {
  for (const { name, hono, found } of await middlewareContract()) {
    await t.step(name, () => assertEquals(found, hono));
  }
});
