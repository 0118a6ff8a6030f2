import { assertEquals } from "@std/assert";
import { appOf } from "../web/helpers.ts";

Deno.test("routes of app.hono + have the header nosniff", async () => {
  await using app = await appOf([]);
  app.hono.get("/own", () => new Response("own"));
  app.hono.get("/proxied", () => Response.redirect("http://localhost/own"));
  for (const path of ["/own", "/proxied", "/nowhere"]) {
    const { headers } = await app.request(path);
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff", path);
  }
});
