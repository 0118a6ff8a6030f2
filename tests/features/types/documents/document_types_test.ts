/** Tests the types of documents that files declare. The values of the types are tested on clusters. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { documentTypes } from "../../../../src/features/types/documents/module.ts";
import { classify } from "../../../../src/migrations/search/files/classify.ts";
import { assertCompiles } from "../../../compiler.ts";
import { workspace } from "../../../e2e/command_line.ts";

function moduleOf(files: Readonly<Record<string, unknown>>): string {
  const migrations = Object.entries(files).map(([path, json]) => {
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    return classify({ path, location: path, hash: "", bytes }, "reapply");
  });
  return documentTypes(migrations).text;
}

/** The type of a name, in one line. */
function typeIn(module: string, name: string): string {
  const start = module.indexOf(`export type ${name} = `);
  const text = module.slice(start, module.indexOf(";\n\n", start) + 1 || undefined);
  return text.replace(/^export type \w+ = /, "").replace(/\s+/g, " ").trim();
}

const fields = (properties: object, rest: object = {}) => ({ mappings: { ...rest, properties } });
const keyword = { type: "keyword" };
const long = { type: "long" };

for (
  const [dynamic, rest, type] of [
    [undefined, {}, "{ a?: Field<string>; [field: string]: unknown; };"],
    [true, {}, "{ a?: Field<string>; [field: string]: unknown; };"],
    ["runtime", {}, "{ a?: Field<string>; [field: string]: unknown; };"],
    ["strict", {}, "{ a?: Field<string>; };"],
    [false, {}, "{ a?: Field<string>; };"],
    ["strict_allow_templates", {}, "{ a?: Field<string>; };"],
    [
      "strict_allow_templates",
      { dynamic_templates: [{ all: { mapping: keyword } }] },
      "{ a?: Field<string>; [field: string]: unknown; };",
    ],
  ] as const
) {
  Deno.test(`documentTypes + dynamic ${dynamic} ${JSON.stringify(rest)}: ${type}`, () => {
    const mappings = fields({ a: keyword }, { ...(dynamic !== undefined && { dynamic }), ...rest });
    assertEquals(typeIn(moduleOf({ "orders.json": mappings }), "Orders"), type);
  });
}

Deno.test("documentTypes + objects: they have the setting of the object around, or their own", () => {
  const module = moduleOf({
    "orders.json": fields({
      closed: { properties: { a: keyword } },
      open: { type: "nested", dynamic: true, properties: { "b.c": long } },
      empty: { type: "object" },
      off: { type: "object", enabled: false },
      other: { type: "alias", path: "closed.a" },
      "closed.d": keyword,
      late: { type: "object", dynamic: true },
      "late.x": keyword,
    }, { dynamic: "strict" }),
  });
  assertEquals(
    typeIn(module, "Orders"),
    "{ closed?: Field<{ a?: Field<string>; d?: Field<string>; }>; " +
      "open?: Field<{ b?: Field<{ c?: Field<number>; [field: string]: unknown; }>; [field: string]: unknown; }>; " +
      "empty?: Field<Record<string, never>>; off?: unknown; " +
      "late?: Field<{ x?: Field<string>; [field: string]: unknown; }>; };",
  );
});

Deno.test("documentTypes + subobjects false: names of fields keep their points", () => {
  const module = moduleOf({
    "orders.json": fields({ "a.b": keyword }, { dynamic: "strict", subobjects: false }),
  });
  assertEquals(typeIn(module, "Orders"), '{ "a.b"?: Field<string>; };');
});

Deno.test("documentTypes + a field of which a document has one value: its objects are no list", () => {
  const module = moduleOf({
    "orders.json": fields({
      one: { properties: { v: { type: "knn_vector", dimension: 3 } } },
      many: { type: "nested", properties: { v: { type: "rank_feature" } } },
      kind: { type: "join", relations: { question: "answer" } },
    }, { dynamic: "strict" }),
  });
  assertEquals(
    typeIn(module, "Orders"),
    "{ one?: { v?: readonly number[]; } | null; many?: Field<{ v?: number; }>; " +
      'kind?: "question" | { name: "question" } | { name: "answer"; parent: string }; };',
  );
});

Deno.test("documentTypes + requests: a mapping adds fields to an index, a deletion removes it", () => {
  const module = moduleOf({
    "1-orders.json": {
      method: "PUT",
      path: "/orders",
      body: fields({ a: keyword }, { dynamic: "strict" }),
    },
    "2.json": { method: "PUT", path: "/orders/_mapping", body: { properties: { b: long } } },
    "gone.json": fields({ a: keyword }),
    "z.json": { method: "DELETE", path: "/gone" },
  });
  assertEquals(typeIn(module, "Orders"), "{ a?: Field<string>; b?: Field<number>; };");
  assertEquals(module.match(/export type (?!Field)/g)?.length, 1);
});

const COMPONENT = { template: fields({ host: keyword, a: keyword }, { dynamic: "strict" }) };

Deno.test("documentTypes + templates: components first, then the template, then the index", () => {
  const module = moduleOf({
    "base-component.json": COMPONENT,
    "orders-template.json": {
      index_patterns: ["orders*"],
      composed_of: ["base"],
      template: fields({ a: long, b: long }),
    },
    "low-template.json": { index_patterns: ["*"], priority: -1, template: fields({ x: long }) },
    "orders-1.json": fields({ b: keyword, c: keyword }),
  });
  const parts = "{ host?: Field<string>; a?: Field<number>; ";
  assertEquals(typeIn(module, "Orders"), `${parts}b?: Field<number>; };`);
  assertEquals(typeIn(module, "Orders1"), `${parts}b?: Field<string>; c?: Field<string>; };`);
});

Deno.test("documentTypes + a component of another folder: any further field is allowed", () => {
  const module = moduleOf({
    "orders-template.json": {
      index_patterns: ["orders*"],
      composed_of: ["base"],
      template: fields({ a: long }, { dynamic: "strict" }),
    },
  });
  assertEquals(typeIn(module, "Orders"), "{ a?: Field<number>; [field: string]: unknown; };");
  assertStringIncludes(module, " * May have fields of 'base', which no file makes.\n");
});

Deno.test("documentTypes + a data stream: its time is required, once", () => {
  const body = { index_patterns: ["logs-*"], data_stream: {} };
  const template = (properties: object) => ({
    "logs-template.json": { ...body, template: fields(properties, { dynamic: "strict" }) },
    // Its template is for data streams.
    "logs-old.json": fields({ a: keyword }, { dynamic: "strict" }),
  });
  const module = moduleOf(template({ a: keyword }));
  assertEquals(typeIn(module, "Logs"), '{ "@timestamp": string; a?: Field<string>; };');
  assertEquals(typeIn(module, "LogsOld"), "{ a?: Field<string>; };");
  const epoch = moduleOf(template({ "@timestamp": { type: "date", format: "epoch_millis" } }));
  assertEquals(typeIn(epoch, "Logs"), '{ "@timestamp": number; };');
});

Deno.test("documentTypes + the compiler: unknown fields and other kinds are errors", async () => {
  await using space = await workspace({
    "documents.ts": moduleOf({
      "orders.json": fields({
        id: keyword,
        placed: { type: "date" },
        items: { type: "nested", properties: { sku: keyword, price: { type: "double" } } },
        place: { type: "geo_point" },
        open: { type: "date_range" },
        find: { type: "completion", contexts: [{ name: "kind", type: "category" }] },
        free: { type: "object", dynamic: true },
      }, { dynamic: "strict" }),
    }),
    "program.ts": `import type { Orders } from "./documents.ts";
export const all: Orders[] = [
  {},
  { id: "1", placed: new Date().toISOString(), items: [{ sku: "a", price: 1.5 }, { sku: null }] },
  { id: ["1", "2"], items: { sku: ["a"] }, place: { lat: 1, lon: 2 }, open: { gte: "2026-01-01" } },
  { find: { input: ["Ada"], contexts: { kind: "person" } }, free: { any: [1] } },
  // @ts-expect-error -- a number
  { id: 1 },
  // @ts-expect-error -- a Date is no JSON
  { placed: new Date() },
  // @ts-expect-error -- an unknown field
  { ident: "1" },
  // @ts-expect-error -- an unknown field of an object
  { items: [{ price: 1, count: 2 }] },
  // @ts-expect-error -- without its context
  { find: { input: "Ada" } },
];
// Records of clients take it, too.
export const record: Record<string, unknown> = all[0]!;
`,
  });
  await assertCompiles(`file://${space.path}/program.ts`);
});
