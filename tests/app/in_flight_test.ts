import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { InFlight } from "../../src/app/in_flight.ts";

Deno.test("InFlight.run() + gives what is answered at once as it is, and no longer counts it", () => {
  const inFlight = new InFlight();
  const response = new Response();
  assertStrictEquals(
    inFlight.run(() => {
      assertEquals(inFlight.count, 1);
      return response;
    }),
    response,
  );
  assertEquals(inFlight.count, 0);
});

Deno.test("InFlight.run() + counts what is answered later until then", async () => {
  const inFlight = new InFlight();
  const answer = Promise.withResolvers<Response>();
  const answered = inFlight.run(() => answer.promise);
  const idle = inFlight.idle();
  assertEquals(inFlight.count, 1);
  answer.resolve(new Response("x"));
  assertEquals(await (await answered).text(), "x");
  await idle;
  assertEquals(inFlight.count, 0);
});

Deno.test("InFlight.run() + counts nothing any more that fails, at once or later", async () => {
  const inFlight = new InFlight();
  assertThrows(
    () =>
      inFlight.run(() => {
        throw new Error("at once");
      }),
    Error,
    "at once",
  );
  await assertRejects(
    () => Promise.resolve(inFlight.run(() => Promise.reject(new Error("later")))),
    Error,
    "later",
  );
  assertEquals(inFlight.count, 0);
});
