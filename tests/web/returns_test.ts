import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import {
  Component,
  ControllerAdvice,
  type ErrorController,
  ExceptionHandler,
  GetMapping,
  HttpStatus,
  MappingError,
  Model,
  PathVariable,
  PostMapping,
  Problem,
  problem,
  RequestBody,
  ResponseEntity,
  RestController,
} from "../../mod.ts";
import { appOf, logged } from "./helpers.ts";

const view = z.object({ id: z.int(), name: z.string() });
class UserView extends Model(view) {}
const stored = { id: 1, name: "Ada", password: "secret" };

/** As a row of a database: more than its type says. */
function row(): { id: number; name: string } {
  return stored;
}

@RestController()
class Users {
  @GetMapping({ path: "/zod", returns: view })
  zod() {
    return row();
  }
  @GetMapping({ path: "/model", returns: UserView })
  model() {
    return Promise.resolve(row());
  }
  @GetMapping({ path: "/list", returns: z.array(UserView) })
  list() {
    return [row()];
  }
  @GetMapping({ path: "/valibot", returns: v.object({ id: v.number() }) })
  valibot(): { id: number } {
    return row();
  }
  @GetMapping({ path: "/arktype", returns: type({ id: "number" }).onDeepUndeclaredKey("delete") })
  arktype(): { id: number } {
    return row();
  }
  @GetMapping({ path: "/async", returns: view.refine(() => Promise.resolve(true)) })
  async() {
    return row();
  }
  @GetMapping({ path: "/dates", returns: z.object({ at: z.date() }) })
  dates() {
    return { at: new Date(0) };
  }
  @PostMapping({ path: "/entity", returns: view })
  entity() {
    return ResponseEntity.created("/users/1").withHeader("X-A", "1").withJson(row());
  }
  @GetMapping({ path: "/error", returns: view })
  error() {
    return ResponseEntity.status(HttpStatus.CONFLICT).setBody(stored as unknown as typeof user);
  }
  @GetMapping({ path: "/none", returns: view })
  none() {
    return ResponseEntity.noContent();
  }
  @GetMapping({ path: "/maybe", returns: view.optional() })
  maybe() {
    return undefined;
  }
  @GetMapping({ path: "/raw", returns: view })
  raw() {
    return Response.json(stored);
  }
  @GetMapping({ path: "/xml", returns: view, produces: "application/xml" })
  xml() {
    return row();
  }
  @GetMapping(
    { path: "/broken/{id}", returns: z.object({ tags: z.array(z.object({ "a/b": z.int() })) }) },
    PathVariable("id"),
  )
  broken(id: string) {
    return { tags: [{ "a/b": 1 }, { "a/b": id as unknown as number }] };
  }
  @GetMapping({ path: "/rejected", returns: type({ id: "number", "+": "reject" }) })
  rejected() {
    return row() as { id: number };
  }
  @GetMapping({ path: "/empty", returns: view })
  empty() {
    return ResponseEntity.ok() as ResponseEntity<never>;
  }
  @GetMapping({ path: "/problem", returns: z.object({ type: z.string(), title: z.string() }) })
  problem() {
    return problem(HttpStatus.GONE, { title: "Away" });
  }
  @GetMapping({ path: "/ok-problem", returns: z.object({ type: z.string(), title: z.string() }) })
  okProblem() {
    return ResponseEntity.ok().withJson(problem(HttpStatus.GONE, { title: "secret" }));
  }
  @GetMapping({ path: "/nothing", returns: view.optional() })
  nothing() {
    return ResponseEntity.ok();
  }
  @GetMapping({ path: "/stream", returns: z.object({ a: z.string() }) })
  stream() {
    return new ReadableStream({ pull: (c) => c.enqueue("secret") }) as unknown as { a: string };
  }
}

const user = { id: 1, name: "Ada" };

Deno.test("returns + sends what the schema names, and nothing else", async () => {
  const app = await appOf([Users]);
  const cases: [string, unknown][] = [
    ["/zod", user],
    ["/model", user],
    ["/list", [user]],
    ["/valibot", { id: 1 }],
    ["/arktype", { id: 1 }],
    ["/async", user],
    ["/dates", { at: "1970-01-01T00:00:00.000Z" }],
  ];
  for (const [path, body] of cases) {
    const response = await app.request(path);
    assertEquals([path, response.status, await response.json()], [path, 200, body]);
  }
  const xml = await (await app.request("/xml")).text();
  assertStringIncludes(xml, "<response><id>1</id><name>Ada</name></response>");
});

Deno.test("returns + leaves status and headers of an entity alone, and does not change it", async () => {
  const kept = ResponseEntity.ok().withHeader("X-A", "1").withJson({ id: "7" });
  @RestController()
  class Kept {
    @GetMapping({ path: "/kept", returns: z.object({ id: z.string().transform(Number) }) })
    get() {
      return kept;
    }
  }
  const app = await appOf([Users, Kept]);
  const response = await app.request("/entity", { method: "POST" });
  const { status, headers } = response;
  assertEquals([status, headers.get("location"), headers.get("x-a")], [201, "/users/1", "1"]);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(await response.json(), user);
  for (let count = 0; count < 2; count++) {
    assertEquals(await (await app.request("/kept")).json(), { id: 7 });
  }
});

Deno.test("returns + checks neither errors, nor responses, nor what has no body", async () => {
  const app = await appOf([Users]);
  const conflict = await app.request("/error");
  assertEquals([conflict.status, await conflict.json()], [409, stored]);
  assertEquals(await (await app.request("/raw")).json(), stored);
  assertEquals((await app.request("/none")).status, 204);
  assertEquals((await app.request("/maybe")).status, 204);
  const gone = await app.request("/problem");
  assertEquals([gone.status, (await gone.json()).title], [410, "Away"]);
  const nothing = await app.request("/nothing");
  assertEquals([nothing.status, await nothing.text()], [200, ""]);
});

Deno.test("returns + answers 500 for what does not fit, and tells pointer and route, but no value", async () => {
  const app = await appOf([Users]);
  const cases: [string, string][] = [
    ["/broken/secret", "'Users.broken' returned (GET /broken/{id})"],
    ["/rejected", "'Users.rejected' returned (GET /rejected)"],
    ["/empty", "'Users.empty' returned (GET /empty)"],
    [
      "/ok-problem",
      "'Users.okProblem' returned (GET /ok-problem): problem details with the status 410",
    ],
  ];
  for (const [path, said] of cases) {
    const lines = await logged(async () => {
      const response = await app.request(path);
      const { detail, ...body } = await response.json();
      assertEquals([response.status, detail], [500, undefined]);
      assertEquals(Object.keys(body), ["type", "title", "status", "instance"]);
    });
    assertEquals(lines.length, 1);
    const error = lines[0]?.find((part) => part instanceof Error) as Error;
    assertStringIncludes(error.message, said);
    assertEquals(error.message.includes("secret"), false);
    assertEquals(error.cause, undefined);
  }
  const [line] = await logged(async () => void await app.request("/broken/secret"));
  assertMatch(String(line?.[1]), /'\/tags\/1\/a~1b'/);
});

Deno.test("returns + names what does not fit on one line, whatever a client has called it", async () => {
  @RestController()
  class Counts {
    @GetMapping({ path: "/counts", returns: z.record(z.string(), z.int()) })
    all() {
      return { "x\nERROR forged \u001b[31m": "a" as never };
    }
  }
  const app = await appOf([Counts]);
  const [line] = await logged(async () => void await app.request("/counts"));
  assertStringIncludes(String(line?.[1]), "'/x\\u000aERROR forged \\u001b[31m'");
});

Deno.test("returns + of a stream sends none of it", async () => {
  const app = await appOf([Users]);
  await logged(async () => {
    const response = await app.request("/stream");
    assertEquals((await response.text()).includes("secret"), false);
  });
});

/** Demands one key, and keeps all. */
function named(value: unknown): StandardSchemaV1.Result<unknown> {
  return typeof value === "object" && value !== null && "name" in value
    ? { value }
    : { issues: [{ message: "no name" }] };
}

/** A schema of a library that gives JSON Schemas. */
function withJson(json: Record<string, unknown>): StandardSchemaV1<unknown, unknown> {
  const given = () => ({ type: "object", ...json });
  const jsonSchema = { input: given, output: given };
  const standard = { version: 1, vendor: "own", validate: named, jsonSchema } as const;
  return { "~standard": standard };
}

class Row {
  id = 1;
  password = "secret";
  readonly at = new Date(0);
  readonly price = { toJSON: () => "12.50" };
  self = this;
  get label() {
    return `#${this.id}`;
  }
  get broken(): string {
    throw new Error("it must not be read");
  }
  toJSON() {
    return { id: this.id, label: "", password: this.password };
  }
}

interface Sent {
  readonly id: number;
  readonly label: string;
  readonly at: Date;
}

Deno.test("returns + of instances sends the data that was checked, not what toJSON gives", async () => {
  const one = { id: "number", label: "string", at: "Date" } as const;
  const row = z.object({ id: z.int(), label: z.string(), at: z.date() });
  const rows = type(one).onDeepUndeclaredKey("delete");
  const valibot = v.object({ id: v.number(), label: v.string(), at: v.date() });
  @RestController()
  class Instances {
    @GetMapping({ path: "/arktype", returns: rows })
    arktype(): Sent {
      return new Row();
    }
    @GetMapping({
      path: "/nested",
      returns: type({ rows: rows.array() }).onDeepUndeclaredKey("delete"),
    })
    nested(): ResponseEntity<{ rows: Sent[] }> {
      return ResponseEntity.ok().withJson({ rows: [new Row()] });
    }
    @GetMapping({ path: "/zod", returns: row })
    zod(): Sent {
      return new Row();
    }
    @GetMapping({ path: "/valibot", returns: valibot })
    valibot(): Sent {
      return new Row();
    }
  }
  const app = await appOf([Instances]);
  const sent = { id: 1, label: "#1", at: "1970-01-01T00:00:00.000Z" };
  assertEquals(await (await app.request("/arktype")).json(), sent);
  assertEquals(await (await app.request("/nested")).json(), { rows: [sent] });
  assertEquals(await (await app.request("/zod")).json(), sent);
  assertEquals(await (await app.request("/valibot")).json(), sent);
});

Deno.test("returns + rejects at startup a schema that allows unknown keys, and names one that strips them", async () => {
  const strict = z.object({ a: z.string() });
  const a = { type: "string" };
  const Node = z.object({
    get next() {
      return z.looseObject({ node: Node }).optional();
    },
  });
  const ValibotNode: v.GenericSchema = v.object({
    get next() {
      return v.optional(v.lazy(() => v.union([ValibotNode, v.looseObject({ a: v.string() })])));
    },
  });
  const open: [
    string,
    NonNullable<Parameters<typeof GetMapping>[0] & object>["returns"],
    string,
  ][] = [
    ["zod loose", z.looseObject({ a: z.string() }), "z.object("],
    ["zod passthrough", strict.loose(), "z.object("],
    ["zod catchall", strict.catchall(z.string()), "z.object("],
    ["zod nested", z.object({ b: z.array(z.looseObject({})) }), "at '/b/*'"],
    ["zod union", z.union([strict, z.looseObject({ b: z.string() })]), "z.object("],
    ["zod model", class extends Model(z.looseObject({ a: z.string() })) {}, "z.object("],
    ["zod recursive", Node as z.ZodType, "unknown keys"],
    ["zod transform", z.looseObject({ a: z.string() }).transform((x) => x), "z.object("],
    ["zod id", z.object({ a: z.looseObject({}).meta({ id: "Loose" }) }), "unknown keys"],
    ["arktype", type({ a: "string" }), 'onDeepUndeclaredKey("delete")'],
    ["arktype nested", type({ "+": "delete", a: { b: "string" } }), "at '/a'"],
    ["arktype array", type({ a: "string" }).array(), "at '/*'"],
    ["arktype union", type({ a: "string" }).or({ b: "string" }), "onDeep"],
    ["valibot", v.looseObject({ a: v.string() }), "v.object("],
    ["valibot rest", v.objectWithRest({ a: v.string() }, v.string()), "v.object("],
    ["valibot nested", v.object({ a: v.optional(v.array(v.looseObject({}))) }), "at '/a/*'"],
    ["valibot union", v.union([v.object({}), v.looseObject({})]), "v.object("],
    ["valibot pipe", v.pipe(v.looseObject({ a: v.string() }), v.check(() => true)), "v.object("],
    ["zod record", strict.and(z.record(z.string(), z.unknown())), "z.object("],
    ["zod/mini", mini.looseObject({ a: mini.string() }), "z.object("],
    ["zod/mini catchall", mini.catchall(mini.object({}), mini.string()), "z.object("],
    ["zod/mini array", mini.object({ b: mini.array(mini.looseObject({})) }), "at '/b/*'"],
    ["zod/mini union", mini.union([mini.object({}), mini.looseObject({})]), "z.object("],
    ["zod/mini lazy", mini.optional(mini.lazy(() => mini.looseObject({}))), "z.object("],
    [
      "zod/mini record",
      mini.intersection(mini.object({}), mini.record(mini.string(), mini.any())),
      "z.object(",
    ],
    ["zod/v3", z3.object({ a: z3.string() }).passthrough(), "z.object("],
    ["zod/v3 nested", z3.object({ b: z3.array(z3.object({}).passthrough()) }), "at '/b/*'"],
    ["zod/v3 catchall", z3.object({ b: z3.object({}).catchall(z3.any()).nullish() }), "at '/b'"],
    [
      "zod/v3 union",
      z3.object({}).strip().or(z3.lazy(() => z3.object({}).passthrough())),
      "unknown keys",
    ],
    ["zod/v3 refined", z3.object({}).passthrough().refine(() => true), "z.object("],
    ["valibot lazy", v.lazy(() => v.looseObject({})), "v.object("],
    ["valibot lazyAsync", v.lazyAsync(() => v.looseObject({})), "v.object("],
    ["valibot recursive", ValibotNode, "at '/next'"],
    ["valibot tuple", v.object({ a: v.looseTuple([v.string()]) }), "at '/a'"],
    [
      "valibot record",
      v.intersect([v.object({ a: v.string() }), v.record(v.string(), v.any())]),
      "v.object(",
    ],
    [
      "any",
      { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } },
      "is of 'own' and has no JSON Schema",
    ],
    ["any that demands", { "~standard": { version: 1, vendor: "own", validate: named } }, "'own'"],
    ["any open by its JSON Schema", withJson({ properties: { name: {} } }), "strips them"],
    ["zod custom", z.custom<object>(), "does not describe its values"],
    ["zod custom nested", z.object({ a: z.array(z.custom<object>()) }), "values at '/a/*'"],
    ["zod instanceof", z.instanceof(Row), "names the fields"],
    ["zod instanceof nested", z.object({ a: z.instanceof(Row).nullable() }), "values at '/a'"],
    ["zod instanceof made new", z.instanceof(Row).transform((row) => row), "names the fields"],
    ["zod/mini custom", mini.object({ a: mini.custom<object>() }), "values at '/a'"],
    ["zod/v3 instanceof", z3.object({ a: z3.instanceof(Row) }), "values at '/a'"],
    ["valibot custom", v.object({ a: v.custom<object>(() => true) }), "values at '/a'"],
    ["valibot instance", v.array(v.instance(Row)), "values at '/*'"],
    ["arktype instance", type({ a: type.instanceOf(Row) }).onDeepUndeclaredKey("delete"), "'/a'"],
    [
      "zod transform nested",
      z.object({ a: z.looseObject({ a: z.string() }).transform((x) => x) }),
      "keys at '/a'",
    ],
    ["zod transform item", z.array(z.looseObject({}).transform((x) => x)), "keys at '/*'"],
    ["zod loose record", z.looseRecord(z.string().regex(/^x/), z.int()), "z.record("],
    [
      "zod loose record nested",
      z.object({ a: z.looseRecord(z.string().regex(/^x/), z.int()) }),
      "keys at '/a'",
    ],
    ["arktype morph", type({ id: "number" }).pipe((x) => x), "onDeep"],
    ["arktype morph union", type({ id: "number" }).pipe((x) => x).or("string"), "onDeep"],
    ["arktype morph deep", type({ a: { b: "string" } }).pipe((x) => x), "onDeep"],
    ["arktype morph half", type({ "+": "delete", a: { b: "string" } }).pipe((x) => x), "at '/a'"],
    ["arktype morph item", type({ id: "number" }).pipe((x) => x).array(), "onDeep"],
    [
      "arktype morph nested",
      type({ "+": "delete", a: type({ b: "string" }).pipe((x) => x) }),
      "onDeep",
    ],
    ["zod and any", strict.and(z.any()), "z.object("],
    ["zod and unknown", z.unknown().and(strict), "z.object("],
    ["zod and json", strict.and(z.json()), "z.object("],
    [
      "zod and union",
      strict.and(z.union([z.record(z.string(), z.any()), z.null()])),
      "z.object(",
    ],
    ["zod and lazy", strict.and(z.lazy(() => z.any())), "z.object("],
    ["zod and transform", strict.and(z.any().transform((x) => x)), "z.object("],
    ["zod and optional", z.object({ a: strict.optional().and(z.any().nullable()) }), "at '/a'"],
    ["zod and items", z.array(strict).and(z.any()), "z.object("],
    ["zod and intersection", strict.and(z.object({})).and(z.any()), "z.object("],
    ["zod/mini and any", mini.intersection(mini.object({}), mini.any()), "z.object("],
    ["zod/v3 and any", z3.object({ a: z3.string() }).and(z3.any()), "z.object("],
    ["zod/v3 and transform", z3.object({}).and(z3.any().transform((x) => x)), "z.object("],
    ["valibot and any", v.intersect([v.object({ a: v.string() }), v.any()]), "v.object("],
    ["valibot and unknown", v.intersect([v.unknown(), v.object({})]), "v.object("],
    [
      "valibot and union",
      v.intersect([v.object({}), v.union([v.null(), v.record(v.string(), v.any())])]),
      "v.object(",
    ],
    ["valibot and lazy", v.intersect([v.object({}), v.lazy(() => v.optional(v.any()))]), "v.obj"],
    [
      "json patterns",
      withJson({ properties: { a }, patternProperties: { ".*": {} }, additionalProperties: false }),
      "strips them",
    ],
    ["json patterns that may not fit", withJson({ patternProperties: { "^x": a } }), "strips them"],
    ["json dangling", withJson({ type: undefined, $ref: "#/$defs/none" }), "does not describe"],
    [
      "json remote",
      withJson({ type: undefined, $ref: "https://example.org/a" }),
      "does not describe",
    ],
    ["json dynamic", withJson({ type: undefined, $dynamicRef: "#a" }), "does not describe"],
    [
      "json of itself",
      withJson({ type: undefined, anyOf: [{ type: "string" }, { $ref: "#" }] }),
      "does not describe",
    ],
    [
      "json reference",
      withJson({ type: undefined, $ref: "#/$defs/a", $defs: { a: { properties: { a } } } }),
      "strips them",
    ],
    ["json not", withJson({ type: undefined, not: { type: "string" } }), "does not describe"],
    ["json contains", withJson({ type: "array", contains: a }), "does not describe"],
    ["json prefix", withJson({ type: "array", prefixItems: [a] }), "does not describe"],
    ["json nullable", withJson({ type: ["object", "null"] }), "strips them"],
    [
      "json unevaluated",
      withJson({ allOf: [{ additionalProperties: a }], unevaluatedProperties: false }),
      "strips them",
    ],
    ["zod/mini loose record", mini.looseRecord(mini.string(), mini.int()), "z.record("],
  ];
  for (const [name, returns, said] of open) {
    @RestController()
    class Open {
      @GetMapping({ path: "/open", returns })
      get() {
        return new Response();
      }
    }
    const error = await assertRejects(() => appOf([Open]), MappingError, "'Open.get'", name);
    assertStringIncludes(error.message, said, name);
  }
});

Deno.test("returns + takes dictionaries, anything by name, and what strips or refuses", async () => {
  const closed: readonly StandardSchemaV1[] = [
    z.record(z.string(), z.int()),
    z.object({ any: z.unknown(), map: z.record(z.string(), z.unknown()) }),
    z.strictObject({ a: z.string() }),
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    z.looseObject({ a: z.string() }).pipe(z.object({ a: z.string() })),
    z.discriminatedUnion("k", [z.object({ k: z.literal(1) }), z.object({ k: z.literal(2) })]),
    z.string(),
    z.void(),
    mini.object({ a: mini.array(mini.strictObject({ b: mini.unknown() })) }),
    mini.pipe(mini.looseObject({}), mini.object({})),
    z3.object({ a: z3.record(z3.any()), b: z3.object({}).strict().optional() }),
    v.tuple([v.lazy(() => v.object({}))]),
    type("Record<string, number>"),
    type({ a: { b: "string" } }).onDeepUndeclaredKey("delete"),
    withJson({ properties: { name: {} }, additionalProperties: false }),
    z.instanceof(Uint8Array),
    z.object({ a: z.instanceof(Date) }),
    z.instanceof(Row).pipe(z.object({ id: z.int() }) as never),
    z.object({ a: z.unknown().refine(() => true), b: z.any() }),
    type({ a: type.instanceOf(Uint8Array) }).onDeepUndeclaredKey("delete"),
    v.strictObject({ a: v.string() }),
    v.record(v.string(), v.object({ a: v.string() })),
    v.pipe(v.looseObject({ a: v.string() }), v.object({ a: v.string() })),
    z.object({ a: z.record(z.string().regex(/^x/), z.int()) }),
    z.partialRecord(z.enum(["a"]), z.int()),
    withJson({
      allOf: [{ properties: { name: {} } }, { $ref: "#/$defs/b" }],
      unevaluatedProperties: false,
      $defs: { b: { type: "object", properties: { b: {} } } },
    }),
    withJson({ properties: { next: { $ref: "#" } }, additionalProperties: false }),
    withJson({
      properties: { a: {} },
      patternProperties: { "^x-": {} },
      additionalProperties: false,
    }),
    withJson({ patternProperties: { ".*": { type: "string" } }, additionalProperties: false }),
    withJson({ type: "array", prefixItems: [{ type: "string" }], items: false }),
    withJson({ type: undefined, not: {} }),
    z.object({ a: z.string() }).and(z.union([z.object({ b: z.any() }), z.object({})])),
    z.object({}).and(z.any().pipe(z.object({ a: z.string() }))),
    z.object({}).and(z.lazy(() => z.object({ a: z.string() }).nullable())),
    v.intersect([v.object({ a: v.any() }), v.union([v.object({}), v.strictObject({})])]),
    type({ "+": "delete", a: type({ "+": "delete", b: "string" }).pipe((x) => x) }),
    type({ "+": "delete", a: "string" }).pipe((x) => x).or("string"),
    type({ a: "string" }).pipe((x) => x, type({ "+": "delete", a: "string" })),
    type({ "+": "delete", a: "string.date.parse", b: type("string").pipe((x) => x.length) }),
  ];
  for (const returns of closed) {
    @RestController()
    class Closed {
      @GetMapping({ path: "/closed", returns })
      get() {
        return new Response("");
      }
    }
    const app = await appOf([Closed]);
    assertEquals((await app.request("/closed")).status, 200);
  }
});

class OutOfStock extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/out-of-stock",
  schema: z.object({ sku: z.string() }),
}) {}
class Closed
  extends Problem({ status: HttpStatus.GONE, type: "/problems/closed", title: "Closed" }) {}

@RestController()
class Shop {
  @GetMapping({ path: "/stock", problems: [OutOfStock, Closed, HttpStatus.NOT_FOUND] })
  stock() {
    const item = { sku: "A-1", cost: 12, type: "x" };
    throw new OutOfStock(item, "Two are left", { headers: { "Retry-After": "5" } });
  }
  @GetMapping({ path: "/closed", problems: [Closed] })
  closed() {
    throw new Closed();
  }
  @GetMapping("/wrong")
  wrong() {
    throw new OutOfStock({ sku: 7 as unknown as string });
  }
}

Deno.test("Problem() + is answered as the problem it declares", async () => {
  const app = await appOf([Shop]);
  const stock = await app.request("/stock");
  const { headers } = stock;
  assertEquals([stock.status, headers.get("content-type"), headers.get("retry-after")], [
    409,
    "application/problem+json",
    "5",
  ]);
  assertEquals(await stock.json(), {
    type: "/problems/out-of-stock",
    title: "Conflict",
    status: 409,
    detail: "Two are left",
    instance: "/stock",
    sku: "A-1",
  });
  assertEquals(await (await app.request("/closed")).json(), {
    type: "/problems/closed",
    title: "Closed",
    status: 410,
    instance: "/closed",
  });
  const lines = await logged(async () => {
    assertEquals((await app.request("/wrong")).status, 500);
  });
  assertMatch(String(lines[0]?.[1]), /Cannot create the problem '\/problems\/out-of-stock'/);
  assertEquals(new OutOfStock({ sku: "A" }).name, "OutOfStock");
});

class Overloaded extends Problem({
  status: HttpStatus.SERVICE_UNAVAILABLE,
  type: "/problems/overloaded",
  schema: z.object({ queue: z.int() }),
}) {}

Deno.test("Problem() + of a 5xx tells its data, which is declared, and not its detail", async () => {
  @RestController()
  class Busy {
    @GetMapping({ path: "/busy", problems: [Overloaded] })
    busy() {
      throw new Overloaded({ queue: 7 }, "secret");
    }
  }
  const app = await appOf([Busy]);
  await logged(async () => {
    assertEquals(await (await app.request("/busy")).json(), {
      type: "/problems/overloaded",
      title: "Service Unavailable",
      status: 503,
      instance: "/busy",
      queue: 7,
    });
  });
});

Deno.test("Problem() + refuses a status that is no error's", () => {
  const declared = () => Problem({ status: HttpStatus.OK, type: "/fine" });
  assertThrows(declared, RangeError, "'/fine': expected a status from 400 to 599, found 200");
  const coded = () => Problem({ status: 409 as never, type: "/code" });
  assertThrows(coded, TypeError, "Expected a status such as HttpStatus.NOT_FOUND, found '409'");
});

Deno.test("Problem() + rejects at startup a schema that allows unknown keys", async () => {
  class Loose extends Problem({
    status: HttpStatus.CONFLICT,
    type: "/x",
    schema: z.looseObject({}),
  }) {}
  @RestController()
  class Open {
    @GetMapping({ path: "/open", problems: [Loose] })
    get() {}
  }
  await assertRejects(() => appOf([Open]), MappingError, "the schema of 'problems'");
});

Deno.test("returns + of a schema whose asynchronous check rejects is a 500, and the process lives on", async () => {
  const fails = () => Promise.reject(new Error("no database"));
  const schemas: readonly z.ZodType<unknown>[] = [
    z.object({ name: z.string().refine(fails) }),
    z.object({ name: z.string().refine(fails), other: z.string().optional().refine(fails) }),
    z.array(z.object({ name: z.string().superRefine(fails) })).or(
      z.object({ name: z.string().check(fails) }),
    ),
    z.object({ name: z.string() }).transform(fails),
    z.object({ name: z.codec(z.string(), z.string(), { decode: fails, encode: fails }) }),
    z.object({ name: z.preprocess(fails, z.string()) }),
    z.object({ name: z.unknown().refine(fails) }) as never,
    z.object({
      get name() {
        return z.lazy(() => z.string().refine(fails));
      },
    }),
    z3.object({ name: z3.string().refine(fails) }) as never,
    z3.object({ name: z3.string().transform(fails) }) as never,
    mini.object({ name: mini.string().check(mini.refine(fails)) }) as never,
  ];
  for (const [index, schema] of schemas.entries()) {
    const body = schema as z.ZodType<{ name: string }>;
    class Body extends Model(body as z.ZodType<object>) {}
    @RestController()
    class Checks {
      @GetMapping({ path: "/returned", returns: body })
      returned() {
        return { name: "Ada" };
      }
      @PostMapping("/body", RequestBody(body))
      body(_: unknown) {}
      @PostMapping("/model", RequestBody(Body))
      model(_: unknown) {}
    }
    const app = await appOf([Checks]);
    for (let count = 0; count < 2; count++) {
      const statuses: number[] = [];
      await logged(async () => {
        statuses.push((await app.request("/returned")).status);
        for (const path of ["/body", "/model"]) {
          const headers = { "Content-Type": "application/json" };
          const sent = { method: "POST", headers, body: '{"name":"Ada"}' };
          statuses.push((await app.request(path, sent)).status);
        }
        await new Promise((resolve) => setTimeout(resolve));
      });
      assertEquals([index, statuses], [index, [500, 500, 500]]);
    }
  }
});

Deno.test("returns + of an asynchronous schema leaves the schema as it was, and asks it once for an answer", async () => {
  let asked = 0;
  const schema = z.object({
    name: z.string().refine(() => Promise.resolve(++asked > 0)).transform((name) =>
      Promise.resolve(name)
    ),
  });
  const old = z3.object({ name: z3.string().refine(() => Promise.resolve(true)) });
  const errorOf = (parse: () => unknown) => {
    try {
      parse();
    } catch (error) {
      return (error as Error).constructor.name;
    }
  };
  const before = errorOf(() => schema.parse({ name: "Ada" }));
  const { transform } = schema.shape.name.def.out.def as unknown as { transform: unknown };
  const { refinement } = old.shape.name._def.effect as unknown as { refinement: unknown };
  @RestController()
  class Asks {
    @GetMapping({ path: "/asks", returns: schema })
    asks() {
      return { name: "Ada" };
    }
    @GetMapping({ path: "/old", returns: old as never })
    old() {
      return { name: "Ada" };
    }
  }
  const app = await appOf([Asks]);
  await app.request("/asks");
  assertEquals((await app.request("/old")).status, 200);
  assertEquals([before, errorOf(() => schema.parse({ name: "Ada" }))], [
    "$ZodAsyncError",
    "$ZodAsyncError",
  ]);
  const now = schema.shape.name.def.out.def as unknown as { transform: unknown };
  assertEquals(now.transform === transform, true);
  const effect = old.shape.name._def.effect as unknown as { refinement: unknown };
  assertEquals(effect.refinement === refinement, true);
  asked = 0;
  assertEquals(await (await app.request("/asks")).json(), { name: "Ada" });
  assertEquals(asked, 1);
});

class Gone extends Error {}

@ControllerAdvice()
class Advice {
  @ExceptionHandler(Gone)
  gone(error: Error) {
    const body = error.message === "bad" ? { id: "x" } : stored;
    return ResponseEntity.ok().withJson(body);
  }
}

@RestController()
class Failing {
  @GetMapping({ path: "/good", returns: view })
  good(): { id: number; name: string } {
    throw new Gone("good");
  }
  @GetMapping({ path: "/bad", returns: view })
  bad(): { id: number; name: string } {
    throw new Gone("bad");
  }
}

Deno.test("returns + is what a 2xx of a handler of errors passes through as well", async () => {
  const app = await appOf([Failing, Advice]);
  assertEquals(await (await app.request("/good")).json(), user);
  const lines = await logged(async () => {
    assertEquals((await app.request("/bad")).status, 500);
  });
  assertMatch(lines.flat().map(String).join(), /'Failing.bad' returned.*'\/id'/s);

  @Component("errorController")
  class Errors implements ErrorController {
    handleError(_: unknown, response: ResponseEntity) {
      response.withStatusCode(200).withJson(stored);
    }
  }
  const other = await appOf([Failing, Errors]);
  assertEquals(await (await other.request("/good")).json(), user);
});

Deno.test("returns + and problems with a status that contradicts them are refused at startup", async () => {
  const wrong: [NonNullable<Parameters<typeof GetMapping>[0] & object>, string][] = [
    [{ path: "/a", status: HttpStatus.NOT_FOUND, returns: view }, "'returns' with the status 404"],
    [{ path: "/a", status: HttpStatus.FOUND, returns: view }, "'returns' with the status 302"],
    [{ path: "/a", status: HttpStatus.NO_CONTENT, returns: view }, "'returns' with the status 204"],
    [{ path: "/a", problems: [HttpStatus.OK] }, "'problems' with the status 200"],
  ];
  for (const [options, said] of wrong) {
    @RestController()
    class Wrong {
      @GetMapping(options as { path: string })
      get() {}
    }
    const error = await assertRejects(() => appOf([Wrong]), MappingError, "'Wrong.get'");
    assertStringIncludes(error.message, said);
  }
  @RestController()
  class Nothing {
    @GetMapping({ path: "/none", status: HttpStatus.NO_CONTENT, returns: z.void() })
    get() {}
  }
  assertEquals((await (await appOf([Nothing])).request("/none")).status, 204);
});
