import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { z } from "zod";
import {
  bootstrap,
  GetMapping,
  HttpError,
  PathVariable,
  PutMapping,
  RequestBody,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { client } from "@irori/irori/client";
import { etag, IfMatch, IfNoneMatch, notModified } from "@irori/irori/conditional";
import { contractModule, contractOf, openApiDocument } from "@irori/irori/openapi";
import { verify } from "@irori/irori/testing";
import { laneObstacles, servedRoute } from "../../../src/web/mod.ts";

const order = z.object({ text: z.string() });

function orderController() {
  let current = { version: 1, text: "one" };
  @RestController()
  class OrderController {
    @GetMapping({ path: "/orders/{id}", returns: order }, PathVariable("id", "int"), IfNoneMatch())
    get(_id: number, ifNoneMatch: IfNoneMatch) {
      const { version, text } = current;
      if (ifNoneMatch.matches(version)) return notModified(version);
      return ResponseEntity.ok().withHeader("ETag", etag(version)).withJson({ text });
    }

    @PutMapping(
      { path: "/orders/{id}", returns: order },
      PathVariable("id", "int"),
      RequestBody(order),
      IfMatch(),
    )
    put(_id: number, { text }: z.infer<typeof order>, ifMatch: IfMatch) {
      ifMatch.check(current.version);
      current = { version: current.version + 1, text };
      return ResponseEntity.ok().withHeader("ETag", etag(current.version)).withJson({ text });
    }

    @PutMapping(
      { path: "/orders/{id}/optional", returns: z.object({ matches: z.boolean() }) },
      PathVariable("id", "int"),
      IfMatch({ required: false }),
    )
    optional(_id: number, ifMatch: IfMatch) {
      return { matches: ifMatch.matches(current.version) };
    }
  }
  return OrderController;
}

Deno.test("IfMatch() + of two clients that change one version, one is refused", async () => {
  await using app = await bootstrap({ components: [orderController()] });
  const read = async () => (await app.request("/orders/1")).headers.get("ETag")!;
  const write = (tag: string, text: string) =>
    app.request("/orders/1", {
      method: "PUT",
      headers: { "If-Match": tag, "Content-Type": "application/json" },
      body: JSON.stringify({ text }),
    });
  const [ours, theirs] = [await read(), await read()];
  assertEquals(ours, '"1"');
  const first = await write(ours, "ours");
  assertEquals([first.status, first.headers.get("ETag")], [200, '"2"']);
  const second = await write(theirs, "theirs");
  assertEquals([second.status, (await second.json()).detail], [
    412,
    "The header 'If-Match' names no current version of the resource",
  ]);
  assertEquals((await (await app.request("/orders/1")).json()).text, "ours");
  assertEquals((await write(await read(), "theirs")).status, 200);
});

Deno.test("IfMatch() + says what is missing, and what is malformed", async () => {
  await using app = await bootstrap({ components: [orderController()] });
  const write = async (headers: Record<string, string>) => {
    const response = await app.request("/orders/1", {
      method: "PUT",
      headers: { ...headers, "Content-Type": "application/json" },
      body: '{"text":"a"}',
    });
    return [response.status, (await response.json()).detail];
  };
  assertEquals(await write({}), [428, "Send the 'ETag' of the resource in 'If-Match'"]);
  assertEquals(await write({ "If-Match": "1" }), [
    400,
    "Cannot bind the request header 'If-Match': expected '*' or entity tags such as '\"7\"'",
  ]);
});

Deno.test("IfMatch() + a version that is none is an error of the application", async () => {
  await using app = await bootstrap({ components: [orderController()] });
  const { routeTable } = app;
  const binder = servedRoute(routeTable.find(({ method }) => method === "PUT")!).binders.at(-1)!;
  const bind = binder.compile({} as never);
  const match = bind({ header: () => '"1"' } as never) as IfMatch;
  assertThrows(() => match.check(NaN), TypeError, "Cannot make an entity tag");
  assertThrows(() => match.check(null), HttpError);
});

Deno.test("conditional binders + stay on the fast path", async () => {
  await using app = await bootstrap({ components: [orderController()] });
  assertEquals(laneObstacles(app.routeTable.map(servedRoute)), [undefined, undefined, undefined]);
});

Deno.test("conditional binders + are in the OpenAPI document, with their statuses and the ETag", async () => {
  await using app = await bootstrap({ components: [orderController()] });
  const { paths } = openApiDocument(app.routeTable, { title: "t", version: "1" });
  const { get, put } = paths["/orders/{id}"]!;
  const optional = paths["/orders/{id}/optional"]!.put!;
  const schema = { type: "string", pattern: '^(\\*|((W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)?)$' };
  assertEquals(get?.parameters?.at(-1), {
    name: "If-None-Match",
    in: "header",
    required: false,
    schema,
  });
  assertEquals(put?.parameters?.at(-1), { name: "If-Match", in: "header", required: true, schema });
  assertEquals(optional.parameters?.at(-1)?.required, false);
  const statuses = (operation: typeof get) => Object.keys(operation!.responses);
  assertEquals(statuses(get), ["200", "304", "400", "412", "default"]);
  assertEquals(statuses(put), ["200", "400", "412", "413", "415", "428", "default"]);
  assertEquals(statuses(optional), ["200", "400", "412", "default"]);
  const tag = {
    ETag: {
      description: "The version of the resource (RFC 9110, 8.8.3)",
      schema: { type: "string" },
    },
  };
  assertEquals(get!.responses[200]?.headers, tag);
  assertEquals(get!.responses[304], { description: "Not Modified", headers: tag });
  assertEquals(put!.responses[200]?.headers, tag);
  assertEquals(put!.responses[428]?.headers, undefined);
});

Deno.test("conditional binders + do what their document says, by generated requests", async () => {
  await using app = await bootstrap({ components: [orderController()] });
  const { operations } = await verify(app, { values: { "If-Match": ["*", '"1"'] } });
  assertEquals(operations, 3);
});

Deno.test("conditional binders + clients send tags as they have got them", async () => {
  const OrderController = orderController();
  await using app = await bootstrap({ components: [OrderController] });
  type Orders = InstanceType<typeof OrderController>;
  const { OrderController: contract = {} } = contractOf(app.routeTable);
  const send = (request: RequestInfo | URL) => app.request(request as Request);
  const orders = client<Orders>("http://localhost", contract, { fetch: send as typeof fetch });
  assertEquals(await orders.put(1, { text: "two" }, '"1"'), { text: "two" });
  assertEquals(await orders.optional(1, '"1"'), { matches: false });
  const module = contractModule(app.routeTable);
  assertStringIncludes(
    module,
    'arguments: { id: number; body: { text: string }; "If-Match": string }',
  );
});
