import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Context } from "hono";
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
