import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type } from "arktype";
import { z } from "zod";
import {
  bootstrap,
  GetMapping,
  HttpStatus,
  MappingError,
  Model,
  PathVariable,
  PostMapping,
  Problem,
  RequestBody,
  RequestParam,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { openApi, openApiDocument, Operation, SchemaNameError } from "@irori/irori/openapi";
import { verify } from "@irori/irori/testing";
import { quietly } from "../../conformance/quietly.ts";

const address = z.object({ city: z.string() }).meta({ id: "Address" });
class UserView extends Model(
  z.object({ id: z.int(), since: z.coerce.date(), address, role: z.string().default("none") }),
) {}
class Friend extends Model(
  z.object({
    name: z.string(),
    // The compiler does not follow a class into its own base.
    get friends(): z.ZodOptional<z.ZodType> {
      return z.array(Friend as never).optional();
    },
  }),
) {}
class OutOfStock extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/out-of-stock",
  schema: z.object({ sku: z.string() }),
}) {}
class Taken extends Problem({ status: HttpStatus.CONFLICT, type: "/problems/taken" }) {}

function user() {
  return { id: 1, since: new Date(0), address: { city: "Rome" } };
}

@RestController()
class UserController {
  @GetMapping({
    path: "/one",
    returns: UserView,
    problems: [OutOfStock, Taken, HttpStatus.NOT_FOUND],
  })
  one() {
    return user();
  }
  @GetMapping({ path: "/all", returns: z.array(UserView), problems: [OutOfStock] })
  all() {
    return [user()];
  }
  @GetMapping({ path: "/page", returns: z.object({ items: z.array(UserView), at: address }) })
  page() {
    return { items: [user()], at: { city: "Rome" } };
  }
  @PostMapping(
    { path: "/one", status: HttpStatus.CREATED, returns: UserView },
    RequestBody(UserView),
  )
  create(value: UserView) {
    return value;
  }
  @GetMapping({ path: "/friends", returns: Friend })
  friends() {
    return { name: "Ada" };
  }
  @GetMapping({ path: "/maybe", returns: address.optional() })
  maybe(): { city: string } | undefined {
    return undefined;
  }
  @GetMapping({ path: "/void", returns: z.void() })
  nothing() {}
  @GetMapping({ path: "/nothing", returns: z.void(), status: HttpStatus.NO_CONTENT })
  bodiless() {}
  @GetMapping({ path: "/ark", returns: type({ at: "Date" }).onDeepUndeclaredKey("delete") })
  ark() {
    return { at: new Date(0) };
  }
  @PostMapping("/dates", RequestBody(z.object({ at: z.coerce.date() })))
  dates(_body: { at: Date }) {
    return ResponseEntity.noContent();
  }
  @GetMapping("/since", RequestParam("at", z.coerce.date()))
  since(_at: Date) {}
}

async function documentOf(...components: (new () => object)[]) {
  const app = await bootstrap({ components });
  return openApiDocument(app.routeTable, { title: "Users", version: "1" });
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

Deno.test("openApiDocument() + describes what routes return, each named schema once", async () => {
  const document = await documentOf(UserController);
  const { paths, components } = document;
  const json = (path: string, status = "200", method = "get") =>
    paths[path]?.[method]?.responses[status]?.content?.["application/json"]?.schema;
  assertEquals(json("/one"), ref("UserView"));
  assertEquals(json("/all"), { type: "array", items: ref("UserView") });
  assertEquals(json("/page")?.properties, {
    items: { type: "array", items: ref("UserView") },
    at: ref("Address"),
  });
  assertEquals(json("/one", "201", "post"), ref("UserView"));
  assertEquals(json("/friends"), ref("Friend"));
  assertEquals(Object.keys(components.schemas), [
    "Address",
    "Friend",
    // Zod's own name for the list, which is in a circle with the class.
    "Friend___schema0",
    "OutOfStock",
    "ProblemDetail",
    "Taken",
    "UserView",
    "UserViewInput",
  ]);
  const view = components.schemas.UserView?.properties as Record<string, unknown>;
  assertEquals(view.address, ref("Address"));
  assertEquals(view.since, { type: "string", format: "date-time" });
  assertEquals(components.schemas.UserView?.required, ["id", "since", "address", "role"]);
  // A member with a default is optional in a request.
  assertEquals(components.schemas.UserViewInput?.required, ["id", "since", "address"]);
  assertEquals(components.schemas.Friend___schema0, { type: "array", items: ref("Friend") });
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert(valid, JSON.stringify(errors));
  assertEquals(JSON.stringify(document).includes("x-irori"), false);
});

Deno.test("openApiDocument() + describes declared problems with their statuses", async () => {
  const { paths, components } = await documentOf(UserController);
  const responses = paths["/one"]?.get?.responses ?? {};
  assertEquals(Object.keys(responses), ["200", "404", "409", "default"]);
  assertEquals(responses["409"]?.content, {
    "application/problem+json": { schema: { anyOf: [ref("OutOfStock"), ref("Taken")] } },
  });
  // As the client's module has it, which tells problems by status and type.
  const missing = responses["404"]?.content?.["application/problem+json"]?.schema;
  assertEquals(missing?.properties, {
    ...components.schemas.ProblemDetail?.properties as object,
    type: { type: "string", const: "about:blank" },
    status: { type: "integer", const: 404 },
  });
  const { properties, required } = components.schemas.OutOfStock as {
    properties: Record<string, unknown>;
    required: string[];
  };
  assertEquals(required, ["type", "title", "status", "sku"]);
  assertEquals([properties.sku, properties.status, properties.type], [
    { type: "string" },
    { type: "integer", const: 409 },
    { type: "string", const: "/problems/out-of-stock" },
  ]);
});

@RestController()
class TextController {
  @GetMapping({ path: "/text", returns: z.string() })
  text() {
    return "text";
  }
  @GetMapping({ path: "/word", returns: z.enum(["a", "b"]).meta({ id: "Word" }).nullable() })
  word() {
    return "a" as const;
  }
  @GetMapping({ path: "/union", returns: z.union([z.string(), z.object({ id: z.int() })]) })
  union() {
    return { id: 1 };
  }
  @GetMapping({ path: "/file", returns: z.file().mime("image/png") })
  file() {
    return new File(["png"], "a.png", { type: "image/png" });
  }
  @GetMapping({ path: "/list", returns: z.array(z.string()) })
  list() {
    return ["text"];
  }
  @GetMapping({ path: "/said", returns: z.string(), produces: "text/csv" })
  said() {
    return "a,b";
  }
}

Deno.test("openApiDocument() + has the media types in which values are sent", async () => {
  const app = await bootstrap({ components: [TextController] });
  const { paths } = openApiDocument(app.routeTable, { title: "Texts", version: "1" });
  const types = (path: string) => Object.keys(paths[path]?.get?.responses["200"]?.content ?? {});
  assertEquals(types("/text"), ["text/plain"]);
  assertEquals(types("/word"), ["text/plain", "application/json"]);
  assertEquals(types("/union"), ["text/plain", "application/json"]);
  assertEquals(types("/file"), ["image/png"]);
  assertEquals(types("/list"), ["application/json"]);
  assertEquals(types("/said"), ["text/csv"]);
  await verify(app);
});

Deno.test("openApiDocument() + refuses two schemas for one status, and names the method", async () => {
  const one = z.object({ id: z.int() });
  @RestController()
  class Twice {
    @GetMapping({ path: "/a", returns: one })
    @Operation({ responses: { 200: z.object({ name: z.string() }) } })
    returned() {
      return { id: 1 };
    }
    @GetMapping({ path: "/b", problems: [Taken] })
    @Operation({ responses: { 409: one } })
    problem() {}
    @GetMapping({ path: "/c", returns: one, problems: [Taken] })
    @Operation({ responses: { 200: one, 409: { description: "Taken" }, 202: one } })
    same() {
      return { id: 1 };
    }
  }
  const { routeTable: routes } = await bootstrap({ components: [Twice] });
  const documentOf = (path: string) =>
    openApiDocument(routes.filter((route) => route.path === path), { title: "", version: "" });
  const refused = (path: string, said: string) =>
    assertThrows(() => documentOf(path), MappingError, said);
  refused("/a", "'Twice.returned': @Operation has a schema for the status 200");
  refused("/b", "the status 409, which the mapping's 'problems' describes");
  assertEquals(documentOf("/c").paths["/c"]?.get?.responses["409"]?.description, "Taken");
  await assertRejects(
    () => bootstrap({ components: [Twice], extensions: [openApi()] }),
    MappingError,
    "expected only one of them",
  );
});

Deno.test("openApiDocument() + describes nothing as nothing", async () => {
  const { paths } = await documentOf(UserController);
  const answers = (path: string) => {
    const { default: _, ...responses } = paths[path]?.get?.responses ?? {};
    return responses;
  };
  assertEquals(Object.keys(answers("/maybe")), ["200", "204"]);
  assertEquals(answers("/void"), { "204": { description: "No Content" } });
  assertEquals(answers("/nothing"), { "204": { description: "No Content" } });
});

Deno.test("openApiDocument() + describes dates as date-time, of answers and of requests", async () => {
  const { paths } = await documentOf(UserController);
  const date = { type: "string", format: "date-time" };
  const { ark, dates, since } = {
    ark: paths["/ark"]?.get?.responses["200"]?.content?.["application/json"]?.schema,
    dates: paths["/dates"]?.post?.requestBody?.content["application/json"]?.schema,
    since: paths["/since"]?.get?.parameters?.[0]?.schema,
  };
  assertEquals(ark?.properties, { at: date });
  assertEquals(dates?.properties, { at: date });
  assertEquals(since, date);
});

Deno.test("openApiDocument() + describes a returned date as JSON, which it is sent as", async () => {
  const now = new Date(0);
  @RestController()
  class Dates {
    @GetMapping({ path: "/date", returns: z.date() })
    date() {
      return now;
    }
    @GetMapping({ path: "/maybe", returns: z.date().nullable() })
    maybe(): Date | null {
      return now;
    }
    @GetMapping({ path: "/either", returns: z.union([z.date(), z.iso.datetime()]) })
    either(): Date | string {
      return now;
    }
    @GetMapping({ path: "/named", returns: z.date().meta({ id: "Instant" }) })
    named() {
      return now;
    }
    @GetMapping({ path: "/ark-date", returns: type("Date") })
    ark() {
      return now;
    }
    @GetMapping({ path: "/text", returns: z.iso.datetime() })
    text() {
      return now.toISOString();
    }
  }
  await using app = await bootstrap({ components: [Dates] });
  const document = openApiDocument(app.routeTable, { title: "", version: "" });
  const typesAt = (path: string) =>
    Object.keys(document.paths[path]?.get?.responses["200"]?.content ?? {});
  for (const path of ["/date", "/maybe", "/named", "/ark-date"]) {
    assertEquals(typesAt(path), ["application/json"], path);
  }
  assertEquals(typesAt("/either"), ["application/json", "text/plain"]);
  assertEquals(typesAt("/text"), ["text/plain"]);
  const date = { type: "string", format: "date-time" };
  const { schema } = document.paths["/date"]!.get!.responses["200"]!.content!["application/json"]!;
  assertEquals([schema, document.components.schemas!.Instant], [date, date]);
  await verify(app);
});

Deno.test("openApiDocument() + refuses two schemas of one id, and names them", async () => {
  @RestController()
  class Twice {
    @GetMapping({ path: "/a", returns: address })
    a() {
      return { city: "Rome" };
    }
    @GetMapping({
      path: "/b",
      returns: z.array(z.object({ street: z.string() }).meta({ id: "Other" })),
    })
    b() {
      return [{ street: "Via" }];
    }
  }
  class Other extends Model(z.object({ zip: z.string() })) {}
  @RestController()
  class Clash {
    @GetMapping({ path: "/c", returns: Other })
    c() {
      return { zip: "0" };
    }
  }
  const app = await bootstrap({ components: [Twice, Clash] });
  const error = assertThrows(
    () => openApiDocument(app.routeTable, { title: "", version: "" }),
    SchemaNameError,
  );
  assertStringIncludes(error.message, "'Other'");
});

Deno.test("openApiDocument() + resolves references to schemas that refer to themselves, and to ids with a slash", async () => {
  const SA = z.object({
    name: z.string().default("a"),
    get kids() {
      return z.array(SA);
    },
  }).meta({ id: "SA" });
  const order = z.object({ id: z.int() }).meta({ id: "shop/Or~der" });
  @RestController()
  class Trees {
    @PostMapping({ path: "/trees", returns: SA as z.ZodType }, RequestBody(SA))
    create(tree: unknown) {
      return tree as never;
    }
    @GetMapping({ path: "/orders", returns: z.object({ first: order, all: z.array(order) }) })
    orders() {
      return { first: { id: 1 }, all: [] };
    }
  }
  await using app = await bootstrap({ components: [Trees] });
  const document = openApiDocument(app.routeTable, { title: "t", version: "1" });
  const { schemas = {} } = (document as { components?: { schemas?: Record<string, unknown> } })
    .components ?? {};
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
  for (const [, name = ""] of references) assert(name in schemas, name);
  assertEquals(Object.keys(schemas).filter((name) => /^SA/.test(name)).length, 2);
  for (const name of Object.keys(schemas).filter((name) => /^SA/.test(name))) {
    assertStringIncludes(JSON.stringify(schemas[name]), `"#/components/schemas/${name}"`);
  }
});

Deno.test("openApiDocument() + names schemas that refer to each other by their direction", async () => {
  const Author: z.ZodType = z.object({
    get books() {
      return z.array(Book).optional();
    },
  }).meta({ id: "Author" });
  const Book: z.ZodType = z.object({
    language: z.string().default("en"),
    get author() {
      return Author.optional();
    },
  }).meta({ id: "Book" });
  const shelf: z.ZodObject = z.object({
    books: z.array(Book),
    get next(): z.ZodType {
      return z.lazy(() => Shelf as unknown as z.ZodType).optional();
    },
  });
  class Shelf extends Model(shelf) {}
  @RestController()
  class Library {
    @PostMapping({ path: "/authors", returns: Author }, RequestBody(Author))
    author(author: unknown) {
      return author as never;
    }
    @PostMapping({ path: "/books", returns: Book }, RequestBody(Book))
    book(book: unknown) {
      return book as never;
    }
    @PostMapping({ path: "/shelves", returns: Shelf }, RequestBody(Shelf))
    shelf(shelf: Shelf) {
      return shelf;
    }
  }
  await using app = await bootstrap({ components: [Library] });
  const { components: { schemas } } = openApiDocument(app.routeTable, { title: "", version: "" });
  const references = Object.entries(schemas).filter(([name]) => name !== "ProblemDetail")
    .map((
      [name, json],
    ) => [name, [...JSON.stringify(json).matchAll(/schemas\/(\w+)/g)].map(([, to]) => to)]);
  assertEquals(Object.fromEntries(references), {
    Author: ["Book"],
    AuthorOutput: ["BookOutput"],
    Book: ["Author"],
    BookOutput: ["AuthorOutput"],
    Shelf: ["Book", "Shelf"],
    ShelfOutput: ["BookOutput", "ShelfOutput"],
  });
  assertEquals([schemas.Book?.required, schemas.BookOutput?.required], [undefined, ["language"]]);
});

Deno.test("openApiDocument() + keeps closed what is closed in both directions", async () => {
  const Point = z.strictObject({ x: z.int(), at: z.object({ y: z.int() }) }).meta({ id: "Point" });
  @RestController()
  class Points {
    @PostMapping({ path: "/points", returns: Point }, RequestBody(Point))
    add(point: z.infer<typeof Point>) {
      return point;
    }
  }
  await using app = await bootstrap({ components: [Points] });
  const { components: { schemas } } = openApiDocument(app.routeTable, { title: "", version: "" });
  assertEquals(Object.keys(schemas), ["Point", "ProblemDetail"]);
  assertEquals(schemas.Point?.additionalProperties, false);
  assertEquals(JSON.stringify(schemas.Point?.properties).includes("additional"), false);
});

Deno.test("openApiDocument() + gives integers that need 64 bits their format", async () => {
  const Numbers = z.object({
    id: z.int(),
    wide: z.number().int().min(0),
    narrow: z.int32(),
    page: z.int().min(1).max(100),
    none: z.int().nullable(),
    three: z.literal(3),
    price: z.number(),
    type: z.string().default("integer"),
  });
  const Ark = type({ id: "number.integer", few: "0 < number.integer < 9" });
  @RestController()
  class NumbersController {
    @PostMapping("/numbers/{id}", PathVariable("id", "bigint"), RequestBody(Numbers))
    zod(_id: bigint, _body: z.infer<typeof Numbers>) {}
    @PostMapping("/ark/{id}", PathVariable("id", "int"), RequestBody(Ark))
    ark(_id: number, _body: typeof Ark.infer) {}
  }
  await using app = await bootstrap({ components: [NumbersController] });
  const { paths } = openApiDocument(app.routeTable, { title: "", version: "" });
  const wideIn = (path: string) => {
    const { parameters, requestBody } = paths[path]!.post!;
    const { properties } = requestBody!.content["application/json"]!.schema;
    const all = { ...properties as object, path: parameters![0]!.schema };
    return Object.entries(all).flatMap(([name, one]) =>
      JSON.stringify(one).includes('"format":"int64"') ? [name] : []
    );
  };
  assertEquals(wideIn("/numbers/{id}"), ["id", "wide", "none", "path"]);
  assertEquals(wideIn("/ark/{id}"), ["id", "path"]);
});

Deno.test("openApiDocument() + names the field that tells named alternatives apart", async () => {
  const Cat = z.object({ kind: z.literal("cat"), lives: z.int() }).meta({ id: "Cat" });
  const Dog = z.object({ kind: z.enum(["dog", "wolf"]) }).meta({ id: "Dog" });
  const Pet = z.discriminatedUnion("kind", [Cat, Dog]);
  const unnamed = z.discriminatedUnion("kind", [Cat, z.object({ kind: z.literal("fish") })]);
  @RestController()
  class Pets {
    @PostMapping({ path: "/pets", returns: z.array(Pet) }, RequestBody(Pet))
    add(pet: z.infer<typeof Pet>) {
      return [pet];
    }
    @PostMapping("/fish", RequestBody(unnamed))
    fish(_pet: unknown) {}
    @GetMapping({ path: "/csv", produces: "text/csv" })
    csv() {
      return "a;b";
    }
  }
  await using app = await bootstrap({ components: [Pets] });
  const { paths } = openApiDocument(app.routeTable, { title: "", version: "" });
  const { requestBody, responses } = paths["/pets"]!.post!;
  const [cat, dog] = ["Cat", "Dog"].map((name) => `#/components/schemas/${name}`);
  const discriminator = { propertyName: "kind", mapping: { cat, dog, wolf: dog } };
  const sent = requestBody!.content["application/json"]!.schema;
  assertEquals(sent.discriminator, discriminator);
  const { items } = responses[200]!.content!["application/json"]!.schema as { items: object };
  assertEquals(items, { oneOf: [{ $ref: cat }, { $ref: dog }], discriminator });
  assertEquals(JSON.stringify(paths["/fish"]).includes("discriminator"), false);
  assertEquals(paths["/csv"]?.get?.responses[200]?.content, {
    "text/csv": { schema: { type: "string" } },
  });
});

Deno.test("openApiDocument() + describes an intersection with a named schema", async () => {
  const Base = z.object({ id: z.int() }).meta({ id: "Base" });
  const Whole = Base.and(z.object({ name: z.string() }));
  @RestController()
  class Wholes {
    @GetMapping({ path: "/whole", returns: Whole })
    whole() {
      return { id: 1, name: "a" };
    }
    @GetMapping({ path: "/base", returns: Base })
    base() {
      return { id: 1 };
    }
  }
  await using app = await bootstrap({ components: [Wholes] });
  const { paths, components } = openApiDocument(app.routeTable, { title: "", version: "" });
  const { allOf, ...rest } = paths["/whole"]!.get!.responses[200]!.content!["application/json"]!
    .schema;
  assertEquals(rest, { unevaluatedProperties: false });
  assertEquals(JSON.stringify(allOf).includes("additionalProperties"), false);
  assertEquals(components.schemas.Base?.additionalProperties, false);
  await quietly(() => verify(app, { runs: 2 }));
});
