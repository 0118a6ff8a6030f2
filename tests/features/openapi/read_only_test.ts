import { assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";
import { bootstrap, PostMapping, RequestBody, RequestParam, RestController } from "@irori/irori";
import { openApiDocument, SchemaNameError } from "@irori/irori/openapi";

const info = { title: "", version: "" };

Deno.test("openApiDocument() + has `readOnly` where it is declared, not for `.readonly()`", async () => {
  const Body = z.object({
    id: z.int().readonly(),
    tags: z.array(z.string()).readonly().optional(),
    inner: z.object({ a: z.string() }).readonly().meta({ title: "Inner" }),
    after: z.string().readonly().meta({ readOnly: true }),
    before: z.string().meta({ readOnly: true }).readonly(),
    plain: z.string().meta({ readOnly: true }).optional(),
  }).readonly();
  @RestController()
  class ReadOnlyController {
    @PostMapping({ path: "/", returns: Body }, RequestBody(Body))
    body(body: z.infer<typeof Body>) {
      return body;
    }
    @PostMapping("/query", RequestParam("tag", z.string().readonly()))
    query(_tag: string) {}
  }
  await using app = await bootstrap({ components: [ReadOnlyController] });
  const { paths } = openApiDocument(app.routeTable, info);
  const { requestBody, responses } = paths["/"]!.post!;
  for (const content of [requestBody?.content, responses["200"]?.content]) {
    const { readOnly, properties } = content!["application/json"]!.schema as {
      readonly readOnly?: true;
      readonly properties: Record<string, { readonly readOnly?: true }>;
    };
    const declared = Object.keys(properties).filter((name) => properties[name]!.readOnly);
    assertEquals([readOnly, declared], [undefined, ["after", "before", "plain"]]);
  }
  assertEquals(paths["/query"]!.post!.parameters?.[0]?.schema, { type: "string" });
});

Deno.test("openApiDocument() + refuses two schemas with one id in one body", async () => {
  const Body = z.object({
    a: z.object({ x: z.string() }).meta({ id: "Same" }),
    b: z.object({ y: z.string() }).meta({ id: "Same" }),
  });
  @RestController()
  class SameController {
    @PostMapping("/", RequestBody(Body))
    body(_body: z.infer<typeof Body>) {}
  }
  await using app = await bootstrap({ components: [SameController] });
  const error = assertThrows(() => openApiDocument(app.routeTable, info), SchemaNameError);
  assertEquals(
    [error.schemaName, error.message],
    [
      "Same",
      "Cannot describe 'sameController_body_body': two of its schemas have the id 'Same', expected unique ids",
    ],
  );
});
