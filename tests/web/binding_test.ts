import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  binder,
  type Config,
  GetMapping,
  HttpError,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestHeader,
  RequestParam,
  RestController,
  Service,
} from "../../mod.ts";
import { appOf } from "./helpers.ts";

const even = z.string().refine((text) => Promise.resolve(Number(text) % 2 === 0), "Not even");

@RestController()
class Controller {
  @PostMapping("/zod", RequestBody(z.object({ a: z.object({ b: z.int() }) })))
  zod(body: { a: { b: number } }) {
    return body;
  }

  @PostMapping(
    "/valibot",
    RequestBody(v.object({ a: v.object({ b: v.pipe(v.number(), v.integer()) }) })),
  )
  valibot(body: { a: { b: number } }) {
    return body;
  }

  @PostMapping("/arktype", RequestBody(type({ a: { b: "number.integer" } })))
  arktype(body: { a: { b: number } }) {
    return body;
  }

  @GetMapping(
    "/param",
    RequestParam("zod", z.coerce.number()),
    RequestParam("valibot", v.pipe(v.string(), v.transform(Number))),
    RequestParam("arktype", type("string.integer.parse")),
  )
  param(a: number, b: number, c: number) {
    return [a, b, c];
  }

  @GetMapping("/async/{n}", PathVariable("n", even), RequestParam("list", even, { list: true }))
  async(n: string, list: string[]) {
    return [n, ...list];
  }

  @GetMapping("/tags", RequestHeader("X-Tags", { list: true }))
  tags(tags: string[]) {
    return tags;
  }
}

Deno.test("RequestBody() + takes the schemas of zod, valibot and ArkType", async () => {
  await using app = await appOf([Controller]);
  for (const library of ["zod", "valibot", "arktype"]) {
    const post = (body: unknown) =>
      app.request(`/${library}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    assertEquals(await (await post({ a: { b: 1 } })).json(), { a: { b: 1 } }, library);
    const refused = await post({ a: { b: 1.5 } });
    assertEquals(refused.status, 400, library);
    const { errors } = await refused.json();
    assertEquals(errors.length, 1);
    assertEquals(errors[0].pointer, "/a/b", library);
    assert(errors[0].message.length > 0);
  }
});

Deno.test("RequestParam() + uses the value that each library makes of a string", async () => {
  await using app = await appOf([Controller]);
  assertEquals(await (await app.request("/param?zod=1&valibot=2&arktype=3")).json(), [1, 2, 3]);
  const refused = await app.request("/param?zod=x&valibot=2&arktype=x");
  const { errors } = await refused.json();
  assertEquals(errors.map(({ parameter }: { parameter: string }) => parameter), ["zod", "arktype"]);
});

Deno.test("binders + wait for schemas that validate asynchronously, and name all that fails", async () => {
  await using app = await appOf([Controller]);
  assertEquals(await (await app.request("/async/2?list=4,6")).json(), ["2", "4", "6"]);
  const refused = await app.request("/async/1?list=4,5");
  assertEquals((await refused.json()).errors, [
    { parameter: "n", message: "Not even" },
    { parameter: "list", message: "Not even" },
  ]);
});

Deno.test("binders + let the first failure that is no binding's stand alone", async () => {
  const denied = binder((): string => {
    throw new HttpError(401, "Who are you?");
  });
  @RestController()
  class Mixed {
    @GetMapping("/denied-first", denied, RequestParam("a"))
    first() {}
    @GetMapping("/denied-last", RequestParam("a"), denied)
    last() {}
  }
  await using app = await appOf([Mixed]);
  assertEquals((await app.request("/denied-first")).status, 401);
  assertEquals((await app.request("/denied-last")).status, 400);
});

Deno.test("binder() + takes thenables and nothing at all", async () => {
  const thenable = binder(() => ({ then: (resolve: (value: string) => void) => resolve("later") }));
  @RestController()
  class Own {
    @GetMapping("/own", thenable, binder(() => undefined))
    own(a: unknown, b: undefined) {
      return [a, b ?? null];
    }
  }
  await using app = await appOf([Own]);
  assertEquals(await (await app.request("/own")).json(), ["later", null]);
});

Deno.test("handlers + get the request after their parameters, and 'this'", async () => {
  @RestController()
  class Last {
    #prefix = "this";
    @GetMapping("/{a}/{b}", PathVariable("a"), PathVariable("b", "int"))
    both(a: string, b: number, request: HttpRequest) {
      return [
        this.#prefix,
        a,
        b,
        request.pathVariable("b"),
        request.pathVariable("nothing") ?? null,
      ];
    }
    @GetMapping("/rest/of/it", RequestParam("a"))
    rest(...all: unknown[]) {
      return all.length;
    }
  }
  await using app = await appOf([Last]);
  assertEquals(await (await app.request("/x/1")).json(), ["this", "x", 1, "1", null]);
  assertEquals(await (await app.request("/rest/of/it?a=1")).json(), 2);
});

Deno.test("requests + are taken apart each for itself", async () => {
  @RestController()
  class Echo {
    @GetMapping("/echo/{id}", PathVariable("id", "int"), RequestParam("q"))
    async echo(id: number, q: string, request: HttpRequest) {
      await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
      return [id, q, request.header("x-n")];
    }
  }
  await using app = await appOf([Echo]);
  const answers = Array.from({ length: 200 }, async (_, n) => {
    const response = await app.request(`/echo/${n}?q=q${n}`, { headers: { "X-N": `${n}` } });
    assertEquals(await response.json(), [n, `q${n}`, `${n}`]);
  });
  await Promise.all(answers);
});

Deno.test("binder() + reaches beans, by class and by name", async () => {
  @Service()
  class Tenants {
    readonly names = new Map([["a", "Ada"]]);
  }
  const Tenant = binder((request, beans) => {
    return beans.get(Tenants).names.get(request.header("X-Tenant") ?? "") ?? "unknown";
  });
  const Size = binder((_, beans) => (beans.getByName("config") as Config).number("size", 0));
  @RestController()
  class Page {
    @GetMapping("/tenant", Tenant, Size)
    tenant(name: string, size: number) {
      return [name, size];
    }
  }
  await using app = await appOf([Page, Tenants], { config: { size: 3 } });
  const response = await app.request("/tenant", { headers: { "X-Tenant": "a" } });
  assertEquals(await response.json(), ["Ada", 3]);
});

Deno.test("RequestHeader() + with list leaves out empty elements (RFC 9110, 5.6.1)", async () => {
  await using app = await appOf([Controller]);
  for (const text of ["a,b", "a, b", " a ,,\tb,", ",a, ,b"]) {
    const response = await app.request("/tags", { headers: { "X-Tags": text } });
    assertEquals(await response.json(), ["a", "b"], text);
  }
});
