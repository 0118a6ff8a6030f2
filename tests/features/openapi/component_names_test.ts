import { assertEquals, assertRejects } from "@std/assert";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { bootstrap, Model, PostMapping, RequestBody, RestController } from "@irori/irori";
import { openApiDocument, SchemaNameError } from "@irori/irori/openapi";

/** The schemas of an application with a mapping for each pair of a request and a response. */
async function schemasOf(pairs: readonly (readonly [StandardSchemaV1, StandardSchemaV1])[]) {
  const controllers = pairs.map(([body, returns], index) => {
    @RestController()
    class NamesController {
      @PostMapping({ path: `/${index}`, returns }, RequestBody(body))
      answer(given: unknown) {
        return given as object;
      }
    }
    return Object.defineProperty(NamesController, "name", { value: `Names${index}` });
  });
  await using app = await bootstrap({ components: controllers });
  const { paths, components } = openApiDocument(app.routeTable, { title: "", version: "" });
  const refs = JSON.stringify(paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const { ProblemDetail: _, ...schemas } = components.schemas;
  return {
    names: Object.keys(schemas),
    fields: Object.fromEntries(
      Object.entries(schemas).map(([name, json]) => [name, Object.keys(Object(json.properties))]),
    ),
    missing: [...refs].map(([, name]) => name!).filter((name) => !(name in components.schemas)),
  };
}

const named = (id: string, field: string) => z.object({ [field]: z.string() }).meta({ id });
const defaulted = (id: string) => z.object({ a: z.string().default("x") }).meta({ id });

Deno.test("openApiDocument() + names that only its spelling makes equal get free ones", async () => {
  const found = await schemasOf([
    [named("Änderung", "a"), named("Önderung", "b")],
    [named("_nderung", "c"), named("_nderung", "c")],
  ]);
  assertEquals(found.fields, { _nderung: ["c"], _nderung_2: ["a"], _nderung_3: ["b"] });
  assertEquals(found.missing, []);
});

Deno.test("openApiDocument() + a name that only its suffix takes is left to the application", async () => {
  const user = defaulted("User");
  for (const other of ["UserOutput", "UserInput"]) {
    const theirs = named(other, "b");
    const later = await schemasOf([[user, user], [theirs, theirs]]);
    assertEquals(later.fields[other], ["b"]);
    assertEquals([later.names.length, later.missing], [3, []]);
    const first = await schemasOf([[theirs, user], [user, theirs]]);
    assertEquals(first.fields[other], ["b"]);
    assertEquals([first.names.length, first.missing], [3, []]);
  }
  const suffixed = await schemasOf([[named("UserOutput", "b"), user], [user, user]]);
  assertEquals(suffixed.fields, { User: ["a"], UserInput: ["a"], UserOutput: ["b"] });
});

Deno.test("openApiDocument() + two schemas of one name are refused, whatever its characters", async () => {
  const models = (name: string) =>
    ["a", "b"].map((field) => {
      const type = class extends Model(z.object({ [field]: z.string() })) {};
      return Object.defineProperty(type, "name", { value: name });
    });
  const pairs = [
    [named("User", "a"), named("User", "b")],
    [named("Änderung", "a"), named("Änderung", "b")],
    models("Änderung"),
    models("User"),
    [named("User", "a"), models("User")[1]!],
  ];
  for (const [one, other] of pairs) {
    await assertRejects(() => schemasOf([[one!, one!], [other!, other!]]), SchemaNameError);
  }
});
