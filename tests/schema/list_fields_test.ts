import { assertEquals } from "@std/assert";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import {
  bootstrap,
  FormParam,
  GetMapping,
  Model,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "@irori/irori";

const Zod = z.object({
  one: z.string().default("a"),
  many: z.array(z.string()),
  maybe: z.array(z.string()).nullable().default(["x"]).optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  lists: z.union([z.array(z.enum(["a", "b"])), z.tuple([z.string()])]).optional(),
  piped: z.array(z.string()).transform((all) => all.join()).optional(),
  get later() {
    return z.lazy(() => z.array(z.string())).readonly().optional();
  },
});

/** The result of each schema for fields that are sent once. */
const SCHEMAS: readonly (readonly [string, StandardSchemaV1, Record<string, unknown>])[] = [
  ["Zod", Zod, {
    one: "1",
    many: ["1"],
    maybe: ["1"],
    either: "1",
    lists: ["1"],
    piped: "1",
    later: ["1"],
  }],
  ["a model", class extends Model(Zod) {}, { many: ["1"], one: "1" }],
  [
    "an intersection",
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.array(z.string()) })),
    {
      a: "1",
      b: ["1"],
    },
  ],
  [
    "alternatives",
    z.union([
      z.object({ a: z.array(z.string()), b: z.string() }),
      z.object({ a: z.array(z.string()), c: z.array(z.string()) }),
    ]),
    { a: ["1"], b: "1" },
  ],
  ["a dictionary", z.record(z.string(), z.array(z.string())), { a: ["1"] }],
  ["zod/mini", mini.object({ a: mini.optional(mini.array(mini.string())), b: mini.string() }), {
    a: ["1"],
    b: "1",
  }],
  ["Zod 3", z3.object({ a: z3.array(z3.string()).default([]), b: z3.string() }), {
    a: ["1"],
    b: "1",
  }],
  [
    "Valibot",
    v.pipe(
      v.object({ a: v.optional(v.array(v.string()), []), b: v.nullish(v.string()) }),
      v.check(() => true),
    ),
    { a: ["1"], b: "1" },
  ],
  ["ArkType", type({ a: "string[]", "b?": "string", "c?": "string[] | null" }), {
    a: ["1"],
    b: "1",
    c: ["1"],
  }],
];

for (const [name, schema, fields] of SCHEMAS) {
  Deno.test(`RequestParam() and FormParam() + take a list of one by the schema of ${name}`, async () => {
    @RestController()
    class ListController {
      @GetMapping("/query", RequestParam(schema))
      query(query: unknown) {
        return query as object;
      }
      @PostMapping("/form", FormParam(schema))
      form(form: unknown) {
        return form as object;
      }
      @PostMapping(
        { path: "/body", consumes: "application/x-www-form-urlencoded" },
        RequestBody(schema),
      )
      body(form: unknown) {
        return form as object;
      }
    }
    await using app = await bootstrap({ components: [ListController] });
    const sent = Object.keys(fields).map((key) => [key, key === "lists" ? "a" : "1"]);
    const text = new URLSearchParams(sent);
    const body = { method: "POST", body: text };
    const expected = { ...fields, ...("lists" in fields && { lists: ["a"] }) };
    for (
      const response of [
        await app.request(`/query?${text}`),
        await app.request("/form", body),
        await app.request("/body", body),
      ]
    ) {
      const got = await response.json();
      assertEquals([response.status, { ...got, ...expected }], [200, got], JSON.stringify(got));
    }
  });
}
