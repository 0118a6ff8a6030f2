/** Values of other copies of this library, and of Hono, which an application gets with the packages it uses. */
import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { walk } from "@std/fs/walk";
import { dirname, fromFileUrl, join, relative, toFileUrl } from "@std/path";
import { HTTPException } from "npm:hono@4.8.0/http-exception";
import { basicAuth } from "npm:hono@4.8.0/basic-auth";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import * as own from "../../mod.ts";
import { appOf, logged } from "./helpers.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

/** Everything once more, from other files. */
async function anotherCopy(): Promise<typeof own> {
  const folder = await Deno.makeTempDir();
  for await (const { path } of walk(join(ROOT, "src"), { includeDirs: false })) {
    const copied = join(folder, relative(ROOT, path));
    await Deno.mkdir(dirname(copied), { recursive: true });
    await Deno.copyFile(path, copied);
  }
  await Deno.copyFile(join(ROOT, "mod.ts"), join(folder, "mod.ts"));
  const other = await import(toFileUrl(join(folder, "mod.ts")).href);
  await Deno.remove(folder, { recursive: true });
  return other;
}

const other = await anotherCopy();

Deno.test("copies of the library + are not the same", () => {
  assert(own.HttpError as unknown !== other.HttpError);
});

Deno.test("instanceof + knows the objects of another copy, and of nothing else", () => {
  class Missing extends own.HttpError {}
  class OtherMissing extends other.HttpError {}
  assertInstanceOf(new other.HttpError(404), own.HttpError);
  assertInstanceOf(new OtherMissing(404), own.HttpError);
  assertInstanceOf(new own.BindingError(400, "", []), other.BindingError);
  assert(other.ResponseEntity.ok() as unknown instanceof own.ResponseEntity);
  assert(other.HttpStatus.OK as unknown instanceof own.HttpStatus);
  assertInstanceOf(new other.ServerSentEvent(1), own.ServerSentEvent);
  const isMissing = [new Missing(404), new own.HttpError(404), new OtherMissing(404)]
    .map((error) => error instanceof Missing);
  assertEquals(isMissing, [true, false, false]);
  const isError = [null, undefined, {}, new Error(), "a", other.ResponseEntity.ok()]
    .map((value) => (value as unknown) instanceof own.HttpError);
  assertEquals(isError, [false, false, false, false, false, false]);
});

Deno.test("an application + answers with the values of another copy", async () => {
  class User extends other.Model(z.object({})) {}

  @other.Service()
  class Clock {
    now() {
      return 7;
    }
  }

  @other.RestController()
  @other.RequestMapping("/other")
  class Other {
    readonly clock = other.inject(Clock);

    @other.GetMapping("/entity", other.RequestParam("n", "int"))
    entity(n: number) {
      return other.ResponseEntity.status(other.HttpStatus.GONE).withJson({ n });
    }
    @other.GetMapping("/error")
    error() {
      throw new other.HttpError(other.HttpStatus.CONFLICT, "Taken");
    }
    @other.GetMapping("/events")
    async *events() {
      yield await Promise.resolve(new other.ServerSentEvent("a", { event: "b" }));
    }
    @other.GetMapping("/problem")
    problem() {
      return other.ResponseEntity.ok().withJson(other.problem(other.HttpStatus.OK));
    }
    @other.PostMapping("/body", other.RequestBody(User))
    body(user: object) {
      return { isUser: user instanceof User };
    }
    @other.GetMapping("/clock")
    time() {
      return this.clock.now();
    }
  }
  await using app = await appOf([Other, Clock]);
  const get = async (path: string, init?: RequestInit) => {
    const response = await app.request(`/other${path}`, init);
    return [response.status, await response.text()];
  };
  assertEquals(await get("/entity?n=3"), [410, '{"n":3}']);
  const [status, text] = await get("/entity?n=x");
  assertEquals([status, JSON.parse(text as string).errors], [400, [
    { parameter: "n", message: "expected an integer, found 'x'" },
  ]]);
  assertEquals((await get("/error"))[0], 409);
  assertEquals(await get("/events"), [200, "event: b\ndata: a\n\n"]);
  assertEquals(await get("/clock"), [200, "7"]);
  const json = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
  assertEquals(await get("/body", json), [200, '{"isUser":true}']);
});

Deno.test("HTTPException + of another version of Hono keeps its status and headers", async () => {
  @own.RestController()
  class Private {
    @own.GetMapping("/thrown")
    thrown() {
      throw new HTTPException(403, { message: "No" });
    }
    @own.GetMapping("/basic")
    @own.Use(basicAuth({ username: "a", password: "b" }) as unknown as MiddlewareHandler)
    basic() {
      return "in";
    }
  }
  await using app = await appOf([Private]);
  const lines = await logged(async () => {
    const thrown = await app.request("/thrown");
    assertEquals([thrown.status, (await thrown.json()).detail], [403, "No"]);
    const basic = await app.request("/basic");
    assertEquals([basic.status, basic.headers.get("WWW-Authenticate")], [
      401,
      'Basic realm="Secure Area"',
    ]);
  });
  assertEquals(lines, []);
});
