import { assert, assertEquals, assertThrows } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  bootstrap,
  CookieValue,
  FormParam,
  GetMapping,
  HttpStatus,
  Model,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestHeader,
  RequestMapping,
  RequestParam,
  RequestPart,
  RestController,
} from "@irori/irori";
import {
  type DocumentOptions,
  openApi,
  openApiDocument,
  Operation,
} from "../../../src/features/contract/mod.ts";
import { compareOpenApi, SchemaNameError } from "../../../src/features/contract/mod.ts";

class Pet extends Model(z.object({ name: z.string().min(1), born: z.coerce.date().optional() })) {}

const Node: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(Node).optional();
  },
});

@RestController()
@RequestMapping("/shops/{shop}")
@Operation({ tags: ["pets"], security: [{ key: [] }] })
class PetController {
  @GetMapping(
    "/pets",
    PathVariable("shop", "uuid", { in: "class" }),
    RequestParam("limit", "int", { defaultValue: 10 }),
    RequestParam("kind", ["cat", "dog"], { list: true, required: false }),
    RequestHeader("X-Since", "date-time", { required: false }),
    RequestHeader("Accept"),
    CookieValue("theme", "boolean", { required: false }),
  )
  @Operation({ summary: "All pets", responses: { 200: z.array(z.object({ name: z.string() })) } })
  list(
    _shop: string,
    _limit: number,
    _kinds: string[] | undefined,
    _since: Date | undefined,
    _accept: string,
    _theme: boolean | undefined,
  ) {}

  @PutMapping(
    { path: "/pets/{id:[0-9]+}", produces: ["application/json", "application/xml"] },
    PathVariable("id"),
    RequestBody(Pet),
  )
  @Operation({ deprecated: true, tags: ["old"], responses: { 200: Pet } })
  put(_id: string, pet: Pet) {
    return pet;
  }

  @PostMapping(
    { path: "/pets", status: HttpStatus.CREATED, consumes: "application/vnd.pet+json" },
    RequestBody(Node),
  )
  create(_node: unknown) {}

  @PostMapping("/pictures", RequestPart("file"), RequestPart("about", Pet), FormParam("title"))
  upload(_file: File, _about: Pet, _title: string) {}

  @PostMapping("/form", FormParam(type({ name: "string" })))
  form(_value: { name: string }) {}

  @GetMapping("/files/{*path}", PathVariable("path"))
  files(_path: string) {}

  @GetMapping("/hidden")
  @Operation({ hidden: true })
  hidden() {}
}

async function documentOf(components: (new () => object)[], options?: DocumentOptions) {
  const app = await bootstrap({ components });
  return openApiDocument(app.routeTable, { title: "Pets", version: "1" }, options);
}

const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" } };

Deno.test("openApiDocument() is valid by the schema of OpenAPI 3.1", async () => {
  const document = await documentOf([PetController], { securitySchemes });
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert(valid, JSON.stringify(errors));
});

Deno.test("openApiDocument() describes parameters with their types and defaults", async () => {
  const document = await documentOf([PetController]);
  const operation = document.paths["/shops/{shop}/pets"]?.get;
  assertEquals(operation?.summary, "All pets");
  assertEquals(operation?.tags, ["pets"]);
  assertEquals(operation?.security, [{ key: [] }]);
  const range = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  assertEquals(operation?.parameters, [
    { name: "shop", in: "path", required: true, schema: { type: "string", format: "uuid" } },
    {
      name: "limit",
      in: "query",
      required: false,
      allowEmptyValue: true,
      schema: { type: "integer", format: "int64", ...range, default: 10 },
    },
    {
      name: "kind",
      in: "query",
      required: false,
      allowEmptyValue: true,
      schema: { type: "array", items: { type: "string", enum: ["cat", "dog"] } },
    },
    {
      name: "X-Since",
      in: "header",
      required: false,
      schema: { type: "string", format: "date-time" },
    },
    { name: "theme", in: "cookie", required: false, schema: { type: "boolean" } },
  ]);
});

Deno.test("openApiDocument() + describes allowed empty values and required queries", async () => {
  @RestController()
  class EmptyController {
    @GetMapping(
      "/empty",
      RequestParam("q"),
      RequestParam("limit", "int", { defaultValue: 1 }),
      RequestHeader("X-Rate", "number", { defaultValue: 1 }),
      RequestHeader("X-Name", { defaultValue: "a" }),
      CookieValue("theme", ["dark", "light"], { defaultValue: "dark" }),
    )
    get(..._values: unknown[]) {}

    @GetMapping("/needed", RequestParam(z.object({ q: z.string(), page: z.string().optional() })))
    needed(_query: unknown) {}

    @GetMapping("/free", RequestParam(z.object({ q: z.string().default("") })))
    free(_query: unknown) {}
  }
  const { paths } = await documentOf([EmptyController]);
  const parameters = paths["/empty"]?.get?.parameters ?? [];
  assertEquals(parameters.map(({ allowEmptyValue }) => allowEmptyValue ?? false), [
    false,
    true,
    false,
    false,
    false,
  ]);
  assertEquals(parameters.slice(2).map(({ schema }) => schema), [
    { anyOf: [{ type: "number" }, { const: "" }], default: 1 },
    { type: "string", default: "a" },
    { anyOf: [{ type: "string", enum: ["dark", "light"] }, { const: "" }], default: "dark" },
  ]);
  const isNeeded = (path: string) => paths[path]?.get?.parameters?.map(({ required }) => required);
  assertEquals([isNeeded("/needed"), isNeeded("/free")], [[true, false], [false]]);
});

Deno.test("openApiDocument() + describes each field of a query as a parameter", async () => {
  const Search = z.object({
    q: z.string().min(2).describe("What to look for"),
    tag: z.array(z.string()).optional(),
    page: z.coerce.number().pipe(z.int()).default(1),
  }).meta({ id: "Search" });
  class Filter extends Model(Search) {}
  const either = z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]);
  @RestController()
  class SearchController {
    @GetMapping("/schema", RequestParam(Search))
    schema(_query: z.infer<typeof Search>) {}

    @GetMapping("/model", RequestParam(Filter))
    model(_query: Filter) {}

    @GetMapping(
      "/single",
      RequestParam("q", Search.shape.q),
      RequestParam("tag", "string", { list: true, required: false }),
      RequestParam("page", Search.shape.page, { required: false }),
    )
    single(_q: string, _tag: string[] | undefined, _page: number | undefined) {}

    @GetMapping("/either", RequestParam(either))
    either(_query: unknown) {}

    @GetMapping("/any", RequestParam(z.record(z.string(), z.string())))
    any(_query: unknown) {}
  }
  const { paths, components } = await documentOf([SearchController]);
  const parametersOf = (path: string) => paths[path]?.get?.parameters;
  assertEquals(parametersOf("/schema"), [
    {
      name: "q",
      in: "query",
      required: true,
      description: "What to look for",
      schema: { type: "string", minLength: 2 },
    },
    {
      name: "tag",
      in: "query",
      required: false,
      schema: { type: "array", items: { type: "string" } },
    },
    { name: "page", in: "query", required: false, schema: { type: "number", default: 1 } },
  ]);
  assertEquals(parametersOf("/model"), parametersOf("/schema"));
  // What has no list of names stays one object.
  for (const path of ["/either", "/any"]) {
    assertEquals(parametersOf(path)?.map(({ name, style, explode }) => [name, style, explode]), [
      ["query", "form", true],
    ]);
  }
  assertEquals(Object.keys(components.schemas), ["ProblemDetail"]);
  const only = (path: string) => ({
    openapi: "3.1.0",
    paths: { "/": { get: { parameters: parametersOf(path), responses: {} } } },
  });
  assertEquals(compareOpenApi(only("/single"), only("/schema")).breaking, []);
});

Deno.test("openApiDocument() describes bodies, models as components", async () => {
  const { paths, components } = await documentOf([PetController]);
  const put = paths["/shops/{shop}/pets/{id}"]?.put;
  assertEquals(put?.tags, ["pets", "old"]);
  assertEquals(put?.deprecated, true);
  const id = put?.parameters?.find(({ name }) => name === "id");
  assertEquals(id?.schema, { type: "string", pattern: "^(?:[0-9]+)$" });
  assertEquals(put?.requestBody?.content, {
    "application/json": { schema: { $ref: "#/components/schemas/Pet" } },
  });
  assertEquals(Object.keys(put?.responses["200"]?.content ?? {}), [
    "application/json",
    "application/xml",
  ]);
  assertEquals(Object.keys(put?.responses ?? {}), ["200", "400", "406", "413", "415", "default"]);
  assertEquals(components.schemas.Pet?.required, ["name"]);
  const create = paths["/shops/{shop}/pets"]?.post;
  assertEquals(create?.requestBody?.content["application/vnd.pet+json"]?.schema, {
    $ref: "#/components/schemas/petController_create_body",
  });
  const node = components.schemas.petController_create_body as { properties: unknown };
  assertEquals(
    JSON.stringify(node.properties).includes('"#/components/schemas/petController_create_body"'),
    true,
  );
  assertEquals(create?.responses["201"], { description: "Created" });
});

Deno.test("openApiDocument() describes forms and their parts", async () => {
  const { paths } = await documentOf([PetController]);
  const upload = paths["/shops/{shop}/pictures"]?.post?.requestBody;
  assertEquals(upload?.content, {
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: {
          file: { type: "string", format: "binary" },
          about: { $ref: "#/components/schemas/Pet" },
          title: { type: "string" },
        },
        required: ["file", "about", "title"],
      },
      encoding: { about: { contentType: "application/json" } },
    },
  });
  const form = paths["/shops/{shop}/form"]?.post?.requestBody;
  assertEquals(Object.keys(form?.content ?? {}), [
    "application/x-www-form-urlencoded",
    "multipart/form-data",
  ]);
  assertEquals("/shops/{shop}/files/{path}" in paths, true);
  assertEquals("/shops/{shop}/hidden" in paths, false);
});

Deno.test("openApiDocument() asks the converter that was given", async () => {
  const schema = v.object({ name: v.string() });
  @RestController()
  class ValibotController {
    @PostMapping("/", RequestBody(schema))
    create(_value: { name: string }) {}
  }
  const bare = await documentOf([ValibotController]);
  const body = (document: typeof bare) => document.paths["/"]?.post?.requestBody?.content;
  assertEquals(body(bare), { "application/json": { schema: {} } });
  const asked = await documentOf([ValibotController], {
    jsonSchema: (given) => given === schema ? { type: "object" } : undefined,
  });
  assertEquals(body(asked), { "application/json": { schema: { type: "object" } } });
});

Deno.test("openApiDocument() refuses two classes of one name", async () => {
  const Other = { Pet: class Pet extends Model(z.object({ age: z.int() })) {} };
  @RestController()
  class ClashController {
    @PostMapping("/a", RequestBody(Pet))
    one(_pet: Pet) {}
    @PostMapping("/b", RequestBody(Other.Pet))
    other(_pet: InstanceType<typeof Other.Pet>) {}
  }
  const app = await bootstrap({ components: [ClashController] });
  const error = assertThrows(
    () => openApiDocument(app.routeTable, { title: "", version: "" }),
    SchemaNameError,
  );
  assertEquals(error.schemaName, "Pet");
});

Deno.test("openApiDocument() + rejects copies of routes, which have no handlers", async () => {
  @RestController()
  class PingController {
    @GetMapping("/ping")
    ping() {}
  }
  const { routeTable: routes } = await bootstrap({ components: [PingController] });
  assertThrows(
    () => openApiDocument(structuredClone(routes), { title: "", version: "" }),
    TypeError,
    "Cannot describe the route 'GET /ping': expected a route of app.routeTable",
  );
});

Deno.test("openApiDocument() gives paths that differ in names one spelling", async () => {
  @RestController()
  class ThingController {
    @GetMapping("/things/{id}", PathVariable("id", "int"))
    get(_id: number) {}
    @PutMapping("/things/{thing}", PathVariable("thing", "int"))
    put(_thing: number) {}
  }
  const { paths } = await documentOf([ThingController]);
  assertEquals(Object.keys(paths).length, 1);
  const [path = ""] = Object.keys(paths);
  for (const operation of Object.values(paths[path] ?? {})) {
    assertEquals(operation.parameters?.map(({ name }) => `/things/{${name}}`), [path]);
  }
});

Deno.test("openApiDocument() names the wildcards of a path", async () => {
  @RestController()
  class AnyController {
    @GetMapping("/shops/*/pets/*/**")
    get() {}
  }
  const { paths } = await documentOf([AnyController]);
  assertEquals(Object.keys(paths), ["/shops/{any}/pets/{any2}/{rest}"]);
});

Deno.test("openApi() + serves the document, unless 'openapi.enabled' is false", async () => {
  const components = [PetController];
  const config = { openapi: { title: "Shop" }, server: { "context-path": "/api" } };
  const app = await bootstrap({ components, config, extensions: [openApi()] });
  const response = await app.request("/api/openapi.json");
  assertEquals(response.headers.get("Content-Type"), "application/json");
  const document = await response.json();
  assertEquals(document.info, { title: "Shop", version: "0.0.0" });
  assert("/api/shops/{shop}/pets" in document.paths);
  const tag = response.headers.get("ETag") ?? "";
  for (
    const [known, status] of [[tag, 304], [`"other", W/${tag}`, 304], ['"other"', 200]] as const
  ) {
    const again = await app.request("/api/openapi.json", { headers: { "If-None-Match": known } });
    assertEquals([again.status, again.headers.get("ETag")], [status, tag]);
    assertEquals(await again.text() === "", status === 304);
  }
  const off = await bootstrap({
    components,
    config: { openapi: { enabled: false } },
    extensions: [openApi()],
  });
  assertEquals((await off.request("/openapi.json")).status, 404);
});

Deno.test("openApi() + has contact, licence, servers and the ids of operations as options", async () => {
  @RestController()
  class Cats {
    @RequestMapping({ path: "/cats", method: ["GET", "POST"] })
    @Operation({ operationId: "cats" })
    cats() {}
  }
  const info = {
    contact: { name: "Ada", email: "ada@example.com" },
    license: { name: "MIT", identifier: "MIT" },
    description: "Cats",
  };
  const servers = [{ url: "https://cats.example", description: "Production" }];
  await using app = await bootstrap({
    components: [Cats],
    config: { openapi: { title: "Configured" } },
    extensions: [openApi({ info, servers })],
  });
  const document = await (await app.request("/openapi.json")).json();
  assertEquals(document.info, { title: "Configured", version: "0.0.0", ...info });
  assertEquals(document.servers, servers);
  const { get, post } = document.paths["/cats"];
  assertEquals([get.operationId, post.operationId].sort(), ["cats", "cats_2"]);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert(valid, JSON.stringify(errors));
});
