import { assertEquals } from "@std/assert";
import { ANSWERS_BESIDE_HONO, answersBesideHono } from "./beside_hono.ts";

Deno.test("browser() + behind the routes of a Hono app differs by mount and route, as the guide says", async () => {
  assertEquals(await answersBesideHono(), ANSWERS_BESIDE_HONO);
});
