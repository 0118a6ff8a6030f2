import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Context, type Next } from "hono";
import { bootstrap, PostMapping, RequestBody, RestController, Use } from "../../mod.ts";
import { HttpError } from "../../src/http/mod.ts";
import { limitBody } from "../../src/web/bind/body_limit.ts";

function contextOf(body: BodyInit | null): Context {
  return new Context(new Request("http://h/", { method: "POST", body }));
}

const chunks = (size: number) => new Blob(["x".repeat(size)]).stream();

Deno.test("limitBody() + replaces a body without a length once for each lower limit", async () => {
  const context = contextOf(chunks(8));
  limitBody(context, 10);
  const limited = context.req.raw;
  for (const same of [10, 11]) {
    limitBody(context, same);
    assertStrictEquals(context.req.raw, limited, `${same}`);
  }
  limitBody(context, 7);
  assertEquals(context.req.raw === limited, false);
  const error = await assertRejects(() => context.req.raw.text(), HttpError);
  assertEquals(error.status.value, 413);
});

Deno.test("limitBody() + lets a body pass that is as long as its limit", async () => {
  const context = contextOf(chunks(8));
  limitBody(context, 8);
  assertEquals(await context.req.raw.text(), "xxxxxxxx");
});

Deno.test("limitBody() + leaves a request without a body as it is", () => {
  const context = contextOf(null);
  const { raw } = context.req;
  limitBody(context, 0);
  assertStrictEquals(context.req.raw, raw);
  assertEquals(context.req.raw.body, null);
});

Deno.test("middleware + runs for a body that is too large, and its headers are in the 413", async () => {
  @RestController()
  class BodyController {
    @PostMapping("/body", RequestBody("text"))
    body(text: string) {
      return text;
    }
  }
  const seen: string[] = [];
  const note = async (context: Context, next: Next) => {
    seen.push(context.req.path);
    await next();
    context.header("X-Outer", "1");
  };
  await using app = await bootstrap({
    components: [BodyController],
    config: { server: { "max-body-size": 3 } },
    middleware: [note],
  });
  app.hono.post("/mounted", async (context) => context.text(await context.req.text()));
  const headers = { "Content-Type": "text/plain", "Content-Length": "5" };
  for (const [path, status] of [["/body", 413], ["/mounted", 413], ["/missing", 404]] as const) {
    const response = await app.request(path, { method: "POST", headers, body: "large" });
    await response.body?.cancel();
    assertEquals([path, response.status, response.headers.get("X-Outer")], [path, status, "1"]);
  }
  assertEquals(seen, ["/body", "/mounted", "/missing"]);
});

for (const keepsLength of [true, false]) {
  const unpack = async (context: Context, next: Next) => {
    const { raw } = context.req;
    const headers = new Headers(raw.headers);
    if (!keepsLength) headers.delete("Content-Length");
    const init = { method: raw.method, headers, body: chunks(1000), duplex: "half" };
    context.req.raw = new Request(raw.url, init as RequestInit);
    await next();
  };
  const what = keepsLength ? "with the length of the other" : "without a length";
  Deno.test(`middleware + cannot put a larger body than the limit in the place of another: ${what}`, async () => {
    @RestController()
    class TextController {
      @PostMapping("/text", RequestBody("text"))
      text(text: string) {
        return text.length;
      }

      @PostMapping("/used", RequestBody("text"))
      @Use(unpack)
      used(text: string) {
        return text.length;
      }
    }
    const config = { server: { "max-body-size": 100 } };
    await using app = await bootstrap({ components: [TextController], config });
    await using all = await bootstrap({
      components: [TextController],
      config,
      middleware: [unpack],
    });
    const headers = { "Content-Type": "text/plain", "Content-Length": "5" };
    for (const [one, path] of [[app, "/used"], [all, "/text"], [all, "/used"]] as const) {
      const response = await one.request(path, { method: "POST", headers, body: "small" });
      await response.body?.cancel();
      assertEquals([path, response.status], [path, 413]);
    }
  });
}
