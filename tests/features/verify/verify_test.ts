import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import * as z from "zod";
import {
  bootstrap,
  CookieValue,
  DeleteMapping,
  FormParam,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  Model,
  PathVariable,
  PostMapping,
  Problem,
  problem,
  type ProblemDetail,
  RequestBody,
  RequestHeader,
  RequestParam,
  RequestPart,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { Operation, type OperationOptions } from "../../../src/features/contract/mod.ts";
import { SchemaReader } from "../../../src/features/contract/reader.ts";
import { Random } from "../../../src/features/verify/random.ts";
import { Samples } from "../../../src/features/verify/samples.ts";
import { schemaChecks } from "../../../src/features/verify/schema_checks.ts";
import { quietly } from "../../conformance/quietly.ts";
import {
  VerificationError,
  verify,
  type VerifyOptions,
} from "../../../src/features/testing/mod.ts";

const Pet = z.object({ id: z.int(), name: z.string().min(1), born: z.iso.date().optional() });

class NewPet extends Model(z.object({
  name: z.string().min(1).max(20),
  age: z.int().min(0).max(40),
  kind: z.enum(["cat", "dog"]).default("cat"),
  tags: z.array(z.string()).max(3).optional(),
})) {}

/** The findings for an application with one handler for `GET /pets/{id}`. */
async function foundOf(
  answer: (id: number) => unknown,
  responses: OperationOptions["responses"] = { 200: Pet },
  options: VerifyOptions = {},
): Promise<readonly string[]> {
  @RestController()
  class PetController {
    @GetMapping("/pets/{id}", PathVariable("id", "int"))
    @Operation({ responses })
    get(id: number) {
      return answer(id);
    }
  }
  return await violationsOf([PetController], options);
}

/** The findings for an application with one handler for `POST /pets`. */
async function foundOfPost(take: (pet: unknown) => unknown): Promise<readonly string[]> {
  @RestController()
  class PetController {
    @PostMapping("/pets", RequestBody(NewPet))
    @Operation({ responses: { 200: z.object({ ok: z.literal(true) }) } })
    post(pet: NewPet) {
      return take(pet);
    }
  }
  return await violationsOf([PetController]);
}

async function violationsOf(
  components: (new () => object)[],
  options: VerifyOptions = {},
): Promise<readonly string[]> {
  await using app = await bootstrap({ components });
  try {
    await quietly(() => verify(app, options));
    return [];
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return error.violations.map(({ problem }) => problem);
  }
}

const ada = { id: 1, name: "Ada" };

Deno.test("verify() + finds nothing where the document is true", async () => {
  assertEquals(await foundOf((id) => ({ ...ada, id })), []);
  assertEquals(await foundOf((id) => ({ ...ada, id, born: "2020-02-29" })), []);
  assertEquals(await foundOfPost(() => ({ ok: true })), []);
});

const LIES: readonly (readonly [string, (id: number) => unknown, readonly string[]])[] = [
  ["a field that is missing", () => ({ id: 1 }), [
    'body of 200: the value: Instance does not have required property "name".',
  ]],
  ["a field that is not declared", () => ({ ...ada, password: "x" }), [
    "body of 200: /password: is not in the schema",
  ]],
  ["a field of another type", () => ({ ...ada, id: "1" }), [
    'body of 200: /id: Instance type "string" is invalid. Expected "integer".',
  ]],
  ["a field of another format", () => ({ ...ada, born: "yesterday" }), [
    'body of 200: /born: String does not match format "date".',
  ]],
  ["a status", () => {
    throw new HttpError(404, "No pet");
  }, ["status 404 is not declared, expected one of 200, 400"]],
  ["another 2xx", () => ResponseEntity.status(HttpStatus.ACCEPTED).withJson(ada), [
    "status 202 is not declared, expected one of 200, 400",
  ]],
  ["a failure", () => {
    throw new Error("secret");
  }, ["status 500 is not declared, expected one of 200, 400"]],
  ["a refusal of what is valid", () => {
    throw new HttpError(400, "No");
  }, ["status 400 for a request that the document calls valid"]],
  ["another content type", () => ResponseEntity.ok().withXml(ada), [
    "body of 200 is of type application/xml, expected application/json",
  ]],
];

for (const [name, answer, expected] of LIES) {
  Deno.test(`verify() + finds ${name}`, async () => {
    const found = await foundOf(answer);
    for (const problem of expected) assertEquals(found.includes(problem), true, found.join("\n"));
  });
}

Deno.test("verify() + finds a status that only some values show", async () => {
  const answer = (id: number) => {
    if (id === Number.MAX_SAFE_INTEGER) throw new RangeError("too far");
    return ada;
  };
  assertEquals(await foundOf(answer), ["status 500 is not declared, expected one of 200, 400"]);
});

const EVERYTHING = z.object({
  int: z.int().min(-5).max(99),
  price: z.number().gt(0).max(10),
  free: z.number(),
  name: z.string().min(2).max(8),
  note: z.string().optional(),
  email: z.email().nullable(),
  kind: z.enum(["cat", "dog", "cow", "hen", "pig"]),
  tags: z.array(z.string()).min(1).max(3),
  place: z.discriminatedUnion("type", [
    z.object({ type: z.literal("point"), x: z.number() }),
    z.object({ type: z.literal("name"), name: z.string() }),
  ]),
  isOpen: z.boolean(),
});
type Everything = z.infer<typeof EVERYTHING>;

/** Valid bodies for which a handler fails. */
const STUMBLES: readonly (readonly [string, (body: Everything) => boolean])[] = [
  ["zero", ({ int }) => int === 0],
  ["less than zero", ({ int }) => int === -1],
  ["the least", ({ int }) => int === -5],
  ["the most", ({ int }) => int === 99],
  ["a fraction", ({ free }) => free === 0.5],
  ["a fraction next to a limit that is excluded", ({ price }) => price === 0.5],
  ["an empty text", ({ note }) => note === ""],
  ["the shortest text", ({ name }) => name.length === 2],
  ["the longest text", ({ name }) => name.length === 8],
  ["letters beyond ASCII", ({ note }) => note?.includes("\u6f22") ?? false],
  ["letters beyond 16 bits", ({ note }) => note?.includes("\u{1f600}") ?? false],
  ["a text with NUL", ({ note }) => note?.includes("\0") ?? false],
  ["a field that is left out", (body) => !("note" in body)],
  ["null", ({ email }) => email === null],
  ["the third of an enumeration", ({ kind }) => kind === "cow"],
  ["the last of an enumeration", ({ kind }) => kind === "pig"],
  ["the shortest list", ({ tags }) => tags.length === 1],
  ["the longest list", ({ tags }) => tags.length === 3],
  ["one alternative", ({ place }) => place.type === "point"],
  ["the other alternative", ({ place }) => place.type === "name"],
  ["an empty text within an alternative", ({ place }) => place.type === "name" && !place.name],
  ["false", ({ isOpen }) => !isOpen],
];

for (const [name, stumbles] of STUMBLES) {
  Deno.test(`verify() + finds that ${name} ends in a failure, without random requests`, async () => {
    @RestController()
    class StumblingController {
      @PostMapping({ path: "/all", returns: z.object({}) }, RequestBody(EVERYTHING))
      post(body: Everything) {
        if (stumbles(body)) throw new TypeError("stumbles");
        return {};
      }
    }
    const found = await violationsOf([StumblingController], { runs: 0 });
    assertEquals(found.map((one) => one.split(",")[0]), ["status 500 is not declared"]);
  });
}

Deno.test("verify() + sends the limits of parameters, and empty ones where they are allowed", async () => {
  const seen = new Set<string>();
  @RestController()
  class LimitsController {
    @GetMapping(
      "/limits",
      RequestParam("limit", "int", { defaultValue: 20 }),
      RequestParam("rate", "number", { required: false }),
      RequestParam("kind", ["cat", "dog"], { list: true, required: false }),
      RequestParam("text", z.string().min(2).max(4), { required: false }),
      RequestHeader("X-Rate", "number", { defaultValue: 1 }),
      CookieValue("theme", ["dark", "light"], { defaultValue: "light" }),
    )
    @Operation({ responses: { 200: z.object({}) } })
    get(...values: unknown[]) {
      const names = ["limit", "rate", "kind", "text", "header", "theme"];
      for (const [index, name] of names.entries()) {
        seen.add(`${name} ${JSON.stringify(values[index])}`);
      }
      return {};
    }
  }
  assertEquals(await violationsOf([LimitsController], { runs: 0 }), []);
  for (
    const value of ["limit 0", "limit -1", "rate 0.5", "rate -0.5", "kind []", 'kind ["dog"]']
      .concat('text "aa"', 'text "aaaa"', "header 0", 'theme "dark"', 'theme "light"')
  ) assertEquals(seen.has(value), true, `${value} of ${[...seen]}`);
});

Deno.test("verify() + finds open objects of answers, alternatives and components", async () => {
  class Owner extends Model(z.looseObject({ name: z.string() })) {}
  assertEquals(await foundOf(() => ({ name: "Ada", more: 1 }), { 200: Owner }), []);
  const either = z.union([z.object({ cat: z.string() }), z.object({ dog: z.string() })]);
  assertEquals(await foundOf(() => ({ dog: "Rex" }), { 200: either }), []);
  assertEquals((await foundOf(() => ({ dog: "Rex", cow: 1 }), { 200: either })).length > 0, true);
});

class Taken extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/taken",
  schema: z.object({ name: z.string() }),
}) {}

/** Entities with a status of an error, against `problems: [Taken]`. */
const ENTITIES:
  readonly (readonly [string, () => ResponseEntity | ProblemDetail, readonly string[]])[] = [
    [
      "the declared problem",
      () => problem(HttpStatus.CONFLICT, { type: "/problems/taken", name: "Ada" }),
      [],
    ],
    ["a status that is not declared", () => ResponseEntity.status(HttpStatus.GONE).withJson({}), [
      "status 410 is not declared, expected one of 200, 400, 409",
    ]],
    [
      "JSON in place of a problem",
      () => ResponseEntity.status(HttpStatus.CONFLICT).withJson({ password: "x" }),
      [
        "body of 409 is of type application/json, expected application/problem+json",
      ],
    ],
    [
      "a problem of another type",
      () => problem(HttpStatus.CONFLICT, { type: "/other", name: "Ada" }),
      [
        'body of 409: /type: Instance does not match "/problems/taken".',
      ],
    ],
    [
      "a problem without its data",
      () => problem(HttpStatus.CONFLICT, { type: "/problems/taken" }),
      [
        'body of 409: the value: Instance does not have required property "name".',
      ],
    ],
  ];

for (const [name, answer, expected] of ENTITIES) {
  Deno.test(`verify() + holds an entity with an error to the problems: ${name}`, async () => {
    @RestController()
    class TakenController {
      @GetMapping({ path: "/pets/{id}", problems: [Taken] }, PathVariable("id", "int"))
      @Operation({ responses: { 200: Pet } })
      get(_id: number): unknown {
        return answer();
      }
    }
    const found = await violationsOf([TakenController], { failing: ["GET /pets/{id}"] });
    assertEquals(found.filter((one) => !NOISE.test(one)), expected);
  });
}

/** Further messages about the same place. */
const NOISE = /^body of 410|: is not in the schema$/;

Deno.test("verify() + lets problem details have members of their own", async () => {
  const answer = () => {
    throw new HttpError(404, "No pet");
  };
  const responses = { 200: Pet, 404: { description: "No such pet" } };
  assertEquals(await foundOf(answer, responses, { failing: ["/pets/{id}"] }), []);
});

Deno.test("verify() + finds nothing in a body that is checked by its schema", async () => {
  @RestController()
  class LooseController {
    @PostMapping("/pets", RequestBody())
    @Operation({ responses: { 200: z.object({ ok: z.boolean() }) } })
    post(_pet: unknown) {
      return { ok: true };
    }
  }
  assertEquals(await violationsOf([LooseController]), []);
});

Deno.test("verify() + finds what a document refuses and an application takes", async () => {
  const taken = z.object({ name: z.string().min(3) });
  // Says more than it checks.
  const lying = {
    "~standard": {
      version: 1 as const,
      vendor: "lying",
      validate: (value: unknown) => ({ value }),
      jsonSchema: taken["~standard"].jsonSchema,
    },
  };
  @RestController()
  class LyingController {
    @PostMapping("/pets", RequestBody(lying))
    @Operation({ responses: { 200: z.object({ ok: z.boolean() }) } })
    post(_pet: unknown) {
      return { ok: true };
    }
  }
  assertEquals(await violationsOf([LyingController]), [
    "status 200 for a request that the document calls invalid",
  ]);
});

Deno.test("verify() + sends what every place of a parameter can hold", async () => {
  const seen: unknown[] = [];
  @RestController()
  class PlacesController {
    @GetMapping(
      "/places/{id}/{code:[A-Z]{3}-[0-9]+}",
      PathVariable("id", "uuid"),
      PathVariable("code"),
      RequestParam("limit", "int", { defaultValue: 10 }),
      RequestParam("kind", ["cat", "dog"], { list: true }),
      RequestParam("since", "date-time", { required: false }),
      RequestParam("day", "date"),
      RequestHeader("X-Trace"),
      CookieValue("theme", "boolean"),
    )
    @Operation({ responses: { 200: z.object({ ok: z.boolean() }) } })
    get(...values: unknown[]) {
      seen.push(values);
      return { ok: true };
    }

    @PostMapping("/forms", FormParam("title"), FormParam("count", "int"))
    @Operation({ responses: { 200: z.object({ ok: z.boolean() }) } })
    form(title: string, count: number) {
      seen.push([title, count]);
      return { ok: true };
    }

    @PostMapping("/parts", RequestPart("about", NewPet), FormParam("title"))
    @Operation({ responses: { 200: z.object({ ok: z.boolean() }) } })
    part(about: NewPet, title: string) {
      seen.push([about, title]);
      return { ok: true };
    }

    @PostMapping("/texts", RequestBody("text"))
    @Operation({ responses: { 200: z.object({ ok: z.boolean() }) } })
    text(text: string) {
      seen.push(text);
      return { ok: true };
    }
  }
  assertEquals(await violationsOf([PlacesController]), []);
  assertEquals(seen.length > 80, true, `${seen.length}`);
});

Deno.test("verify() + sends files where the document says binary", async () => {
  const seen: string[] = [];
  const count = z.object({ count: z.int() });
  const taken = (...files: readonly File[]) => {
    for (const file of files) seen.push(file.name === "" ? "unnamed" : file.name);
    return { count: files.length };
  };
  @RestController()
  class UploadController {
    @PostMapping({ path: "/one", returns: count }, RequestPart("file"))
    one(file: File) {
      return taken(file);
    }

    @PostMapping({ path: "/list", returns: count }, RequestPart("files", { list: true }))
    list(files: readonly File[]) {
      return taken(...files);
    }

    @PostMapping(
      { path: "/some", returns: count },
      RequestPart("file", { required: false }),
      FormParam("title"),
    )
    some(file: File | undefined, _title: string) {
      return taken(...file ? [file] : []);
    }
  }
  assertEquals(await violationsOf([UploadController]), []);
  assertEquals(seen.length > 60 && !seen.includes("unnamed"), true, seen.join());
  const values = {
    file: [new File(["given"], "given.txt")],
    "POST /list": [{ files: [new File(["1"], "first.txt"), new Blob(["2"])] }],
  };
  assertEquals(await violationsOf([UploadController], { values }), []);
  assertEquals(["given.txt", "first.txt"].map((name) => seen.includes(name)), [true, true]);
});

Deno.test("verify() + finds a refusal of a valid form with files", async () => {
  @RestController()
  class PickyController {
    @PostMapping(
      { path: "/some", returns: z.object({ ok: z.boolean() }) },
      RequestPart("file", { required: false }),
      FormParam("title"),
    )
    some(file: File | undefined, _title: string) {
      if (file) throw new HttpError(400, "No files today");
      return { ok: true };
    }
  }
  assertEquals(await violationsOf([PickyController]), [
    "status 400 for a request that the document calls valid",
  ]);
});

Deno.test("verify() + sends the same requests for the same seed, and others for another", async () => {
  const requestsOf = async (seed: number, only?: string[]) => {
    const sent: string[] = [];
    @RestController()
    class EchoController {
      @GetMapping(
        { path: "/echo", returns: z.int() },
        RequestParam("text"),
        RequestParam("number", "number"),
      )
      get(text: string, number: number) {
        return sent.push(`${text} ${number}`);
      }

      @PostMapping({ path: "/more", returns: NewPet }, RequestBody(NewPet))
      post(pet: NewPet) {
        return pet;
      }
    }
    await using app = await bootstrap({ components: [EchoController] });
    const report = await verify(app, { seed, ...(only && { only }) });
    assertEquals(report.seed, seed);
    return sent;
  };
  const one = await requestsOf(7);
  assertEquals(await requestsOf(7), one);
  assertEquals(await requestsOf(7, ["GET /echo"]), one);
  assertEquals((await requestsOf(8)).join() === one.join(), false);
});

Deno.test("verify() + takes given values for parameters, fields and bodies", async () => {
  const seen = new Set<unknown>();
  @RestController()
  class GivenController {
    @GetMapping("/pets/{id}", PathVariable("id", "int"))
    @Operation({ responses: { 200: z.int(), 404: { description: "No such pet" } } })
    get(id: number) {
      if (id !== 5) throw new HttpError(404, "No such pet");
      return seen.add(id).size;
    }

    @PostMapping({ path: "/pets", returns: z.int() }, RequestBody(NewPet))
    post(pet: NewPet) {
      return seen.add(pet.name).size;
    }
  }
  const values = { id: [5], "POST /pets": [{ name: "Only", age: 1 }] };
  assertEquals(await violationsOf([GivenController], { values }), []);
  assertEquals([seen.has(5), seen.has("Only")], [true, true]);
});

Deno.test("verify() + finds an operation that never works, unless it is named", async () => {
  const answer = () => {
    throw new HttpError(404, "No pet");
  };
  const responses = { 200: Pet, 404: { description: "No such pet" } };
  const [problem = ""] = await foundOf(answer, responses);
  assertMatch(
    problem,
    /^no valid request was answered with a 2xx or 3xx, but with 404 \(\d+\): give ids/,
  );
  @RestController()
  class EmptyController {
    @GetMapping(
      { path: "/pets/{id}", returns: Pet, problems: [HttpStatus.NOT_FOUND] },
      PathVariable("id"),
    )
    get(_id: string): { id: number; name: string } {
      throw new HttpError(404);
    }
    @GetMapping("/moved")
    @Operation({ responses: { 302: { description: "Elsewhere" } } })
    moved() {
      return ResponseEntity.status(HttpStatus.FOUND).withHeader("Location", "/pets");
    }
    @GetMapping("/gone")
    @Operation({ responses: { 410: { description: "Gone" } } })
    gone() {
      throw new HttpError(410);
    }
  }
  await using app = await bootstrap({ components: [EmptyController] });
  await assertRejects(() => verify(app), VerificationError, "GET /pets/{id}: no valid request");
  // A response that is no success is not described.
  await verify(app, { only: ["/moved"] });
  const { failing } = await verify(app, { failing: ["/pets/{id}"], except: ["/gone"] });
  assertEquals(failing, ["GET /pets/{id}"]);
});

Deno.test("verify() + takes ids that exist from Location and from what others answer", async () => {
  const pets = new Map<string, { id: string; name: string }>();
  const toys = [{ id: 9_000_017 }];
  @RestController()
  class StoreController {
    @GetMapping({
      path: "/pets/{id}",
      returns: z.object({ id: z.string() }),
      problems: [HttpStatus.NOT_FOUND],
    }, PathVariable("id"))
    get(id: string) {
      return pets.get(id) ? { id } : problem(HttpStatus.NOT_FOUND);
    }
    @PostMapping({
      path: "/pets",
      status: HttpStatus.CREATED,
      returns: z.object({ name: z.string() }),
    }, RequestBody(NewPet))
    post({ name }: NewPet) {
      const id = crypto.randomUUID();
      pets.set(id, { id, name });
      return ResponseEntity.created(`/pets/${id}`).withJson({ name });
    }
    @GetMapping({ path: "/toys", returns: z.object({ items: z.array(z.object({ id: z.int() })) }) })
    list() {
      return { items: toys };
    }
    @DeleteMapping({
      path: "/toys/{toy}/parts",
      returns: z.void(),
      problems: [HttpStatus.NOT_FOUND],
    }, PathVariable("toy", "int"))
    remove(toy: number): undefined {
      if (!toys.some(({ id }) => id === toy)) throw new HttpError(404);
    }
  }
  assertEquals(await violationsOf([StoreController]), []);
});

Deno.test("verify() + tries ids before they are deleted, whatever the seed", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const users = new Map<number, string>();
    let last = 0;
    const idOf = (id: number) => {
      if (!users.has(id)) throw new HttpError(404, "No such user");
      return { id };
    };
    const returns = z.object({ id: z.int() });
    const one = { path: "/users/{id}", problems: [HttpStatus.NOT_FOUND] } as const;
    @RestController()
    class UserController {
      @GetMapping({ path: "/users", returns: z.array(returns) })
      list() {
        return [...users.keys()].map((id) => ({ id }));
      }
      @PostMapping({
        path: "/users",
        returns,
        status: HttpStatus.CREATED,
        problems: [HttpStatus.CONFLICT],
      }, RequestBody(z.object({ email: z.email() })))
      create({ email }: { email: string }) {
        if ([...users.values()].includes(email)) throw new HttpError(409, "Taken");
        users.set(++last, email);
        return ResponseEntity.created(`/users/${last}`).withJson({ id: last });
      }
      @GetMapping({ ...one, returns }, PathVariable("id", "int"))
      get(id: number) {
        return idOf(id);
      }
      @DeleteMapping({ ...one, status: HttpStatus.NO_CONTENT }, PathVariable("id", "int"))
      remove(id: number) {
        users.delete(idOf(id).id);
      }
    }
    assertEquals(await violationsOf([UserController], { seed }), [], `seed ${seed}`);
  }
});

Deno.test("verify() + finds a body where the document has none", async () => {
  const none = "and the document has none: declare it by 'returns' of the mapping or by @Operation";
  @RestController()
  class BodyController {
    @GetMapping("/undeclared")
    undeclared() {
      return { password: "secret" };
    }
    @PostMapping({ path: "/nothing", returns: z.void(), status: HttpStatus.ACCEPTED })
    nothing() {
      return new Response("more", { status: 202, headers: { "Content-Type": "text/plain" } });
    }
    @GetMapping("/empty")
    empty() {
      return ResponseEntity.ok();
    }
    @GetMapping("/events")
    async *events() {
      for (;;) yield await Promise.resolve("event");
    }
  }
  assertEquals((await violationsOf([BodyController])).toSorted(), [
    `body of 200 is of type application/json, ${none}`,
    `body of 200 is of type text/event-stream, ${none}`,
    `body of 202 is of type text/plain, ${none}`,
  ]);
});

Deno.test("verify() + reads patterns written without the Unicode flag", async () => {
  const slug = z.object({ slug: z.string().regex(/^[\w-.]+\@$/) });
  @RestController()
  class SlugController {
    @PostMapping({ path: "/slugs", returns: slug }, RequestBody(slug))
    post(body: { slug: string }) {
      return body;
    }
  }
  assertEquals(await violationsOf([SlugController]), []);
  const strange = z.object({ a: z.string() }).meta({
    properties: { a: { type: "string", pattern: "(" } },
  });
  @RestController()
  class StrangeController {
    @PostMapping({ path: "/strange", returns: z.string() }, RequestBody(strange))
    post(_: unknown) {
      return "";
    }
  }
  const [problem = ""] = await violationsOf([StrangeController]);
  assertStringIncludes(problem, "no value was found for the body");
});

Deno.test("verify() + sends given headers and cookies, without omitted ones", async () => {
  const seen = new Set<string>();
  @RestController()
  class TenantController {
    @GetMapping(
      { path: "/tenant", returns: z.string() },
      RequestHeader("X-Tenant"),
      CookieValue("session"),
      CookieValue("theme", z.enum(["dark", "light"]), { defaultValue: "dark" }),
    )
    get(tenant: string, session: string, theme: string, request: HttpRequest) {
      const cookie = request.header("cookie") ?? "";
      seen.add(tenant).add(/(?:^|; )given=1(?:;|$)/.test(cookie) ? "kept" : "lost");
      return `${session}${theme}`;
    }
  }
  const headers = { "X-Tenant": "acme", Cookie: "given=1; session=ours; theme=light" };
  assertEquals(await violationsOf([TenantController], { headers }), []);
  assertEquals([seen.has("acme"), seen.has("kept"), seen.has("lost")], [true, true, false]);
});

Deno.test("verify() + finds that a handler without a value answers 204 where the document says 200", async () => {
  @RestController()
  class SilentController {
    @GetMapping("/silent")
    get() {}

    @DeleteMapping({ path: "/silent", status: HttpStatus.NO_CONTENT })
    remove() {}
  }
  assertEquals(await violationsOf([SilentController]), [
    "status 204 is not declared, expected one of 200",
  ]);
});

Deno.test("verify() + reports a parameter without a value", async () => {
  const impossible = z.object({ name: z.string().regex(/^(?!)/) });
  @RestController()
  class HardController {
    @PostMapping("/hard", RequestBody(impossible))
    post(_: unknown) {}
  }
  const [problem = ""] = await violationsOf([HardController]);
  assertStringIncludes(problem, "no value was found for the body");
  assertStringIncludes(problem, 'values: { "POST /hard": [...] }');
});

Deno.test("verify() + throws an error with requests, counts and the seed", async () => {
  @RestController()
  class BrokenController {
    @DeleteMapping("/pets/{id}", PathVariable("id", "int"))
    @Operation({ responses: { 200: Pet } })
    remove(_id: number) {
      return { id: 1 };
    }
  }
  await using app = await bootstrap({ components: [BrokenController] });
  const headers = { Authorization: "Bearer secret" };
  const error = await assertRejects(() => verify(app, { headers, seed: 3 }), VerificationError);
  assertEquals([error.code, error.seed, error.violations.length], ["ERR_ASSERTION", 3, 1]);
  assertStringIncludes(error.message, "1 violation (seed 3)\n  DELETE /pets/{id}: body of 200: ");
  assertStringIncludes(error.message, "\n    DELETE /pets/");
  assertEquals(error.message.includes("secret"), false);
});

Deno.test("verify() + lets a public operation answer with the 401 and the 422 that it declares", async () => {
  const Login = z.object({ name: z.string().max(10), pin: z.int() });
  const problems = [HttpStatus.UNAUTHORIZED, HttpStatus.UNPROCESSABLE_ENTITY];
  const headers = { Authorization: "Bearer token" };
  const answer = ({ name, pin }: z.infer<typeof Login>) => {
    if (name !== "ada") throw new HttpError(401);
    if (pin < 1000) throw new HttpError(422);
    return "token";
  };
  @RestController()
  class LoginController {
    @PostMapping({ path: "/login", returns: z.string(), problems }, RequestBody(Login))
    login(login: z.infer<typeof Login>) {
      return answer(login);
    }
  }
  const values = { name: ["ada"], pin: [1234] };
  assertEquals(await violationsOf([LoginController], { headers, values }), []);

  @RestController()
  class SilentController {
    @PostMapping({ path: "/login", returns: z.string() }, RequestBody(Login))
    login(login: z.infer<typeof Login>) {
      return answer(login);
    }
  }
  const found = await violationsOf([SilentController], { headers, values });
  assertEquals(found.toSorted(), [
    "status 401 is not declared, expected one of 200, 400, 413, 415",
    "status 422 for a request that the document calls valid",
    "status 422 is not declared, expected one of 200, 400, 413, 415",
  ]);
});

Deno.test("verify({ failing }) + takes the status that an operation answers with in the test", async () => {
  const problems = [HttpStatus.CONFLICT, HttpStatus.CONTENT_TOO_LARGE];
  @RestController()
  class OrderController {
    @PostMapping({ path: "/orders", returns: z.string(), problems }, RequestBody(NewPet))
    create(_: NewPet): string {
      throw new HttpError(409);
    }
    @PostMapping({ path: "/large", returns: z.string(), problems }, RequestBody(NewPet))
    large(_: NewPet): string {
      throw new HttpError(413);
    }
  }
  const found = (failing: readonly string[]) => violationsOf([OrderController], { failing });
  const [large = "", conflicts = "", ...more] = await found([]);
  assertMatch(conflicts, /^no valid request was answered .*but with 409 \(\d+\): give ids/);
  assertEquals([large, more.length], ["status 413 for a request that the document calls valid", 0]);
  assertEquals(await found(["POST /orders 409", "/large 413"]), []);
  // The operation by itself lets it fail, and lets it refuse nothing.
  assertEquals(await found(["POST /orders", "POST /large"]), [large]);
  const [other = ""] = await found(["POST /orders 404", "POST /large 413"]);
  assertMatch(other, /^no valid request was answered .*but with 409/);
  await using app = await bootstrap({ components: [OrderController] });
  const unknown = verify(app, { failing: ["POST /none 409"] });
  await assertRejects(() => unknown, TypeError, "Cannot verify 'POST /none'");
  await assertRejects(() => verify(app, { only: ["POST /orders 409"] }), TypeError);
});

Deno.test("verify({ operationHeaders }) + sends headers with one operation, over those of all", async () => {
  const seen: string[] = [];
  @RestController()
  class TenantController {
    @GetMapping({ path: "/own", returns: z.string() })
    own(request: HttpRequest) {
      seen.push(`own ${request.header("x-tenant")} ${request.header("x-all")}`);
      return "own";
    }
    @GetMapping({ path: "/other", returns: z.string() }, RequestHeader("X-Tenant"))
    other(tenant: string, request: HttpRequest) {
      seen.push(`other ${tenant} ${request.header("x-all")}`);
      return "other";
    }
  }
  await using app = await bootstrap({ components: [TenantController] });
  const headers = { "X-Tenant": "all", "X-All": "1" };
  const operationHeaders = { "GET /other": { "x-tenant": "one" } };
  await verify(app, { headers, operationHeaders, runs: 5 });
  assertEquals(seen.filter((line) => line === "own all 1").length > 4, true);
  assertEquals(seen.filter((line) => line === "other one 1").length > 2, true);
  assertEquals(seen.includes("other all 1"), false);
  const unknown = { "GET /none": {} };
  await assertRejects(() => verify(app, { operationHeaders: unknown }), TypeError, "GET /none");
});

const HOSTILE = ["%", '"', "../", "__proto__", "0"] as const;

for (const text of HOSTILE) {
  Deno.test(`verify() + sends ${JSON.stringify(text)} wherever a text goes`, async () => {
    const Note = z.object({ title: z.string() });
    const take = (value: string) => {
      if (value === text) throw new RangeError("Not foreseen");
      return "ok";
    };
    @RestController()
    class NoteController {
      @GetMapping({ path: "/notes/{id}", returns: z.string() }, PathVariable("id"))
      get(id: string) {
        return take(id);
      }
      @GetMapping({ path: "/notes", returns: z.string() }, RequestParam("q"))
      find(q: string) {
        return take(q);
      }
      @GetMapping({ path: "/header", returns: z.string() }, RequestHeader("X-Note"))
      header(note: string) {
        return take(note);
      }
      @PostMapping({ path: "/notes", returns: z.string() }, RequestBody(Note))
      post(note: z.infer<typeof Note>) {
        return take(note.title);
      }
    }
    await using app = await bootstrap({ components: [NoteController] });
    const error = await quietly(() => assertRejects(() => verify(app), VerificationError));
    const found = error.violations.filter(({ problem }) => problem.startsWith("status 500"));
    const all = ["GET /header", "GET /notes", "GET /notes/{id}", "POST /notes"];
    assertEquals(found.map(({ operation }) => operation), all);
  });
}

for (
  const [name, isWrong] of [
    ["an empty text for a number", (count: unknown) => count === ""],
    ["a zero for a truth value", (_: unknown, isOpen: unknown) => isOpen === 0],
    ["a zero for a text", (_: unknown, __: unknown, title: unknown) => title === 0],
    ["a fraction for a whole number", (count: unknown) => count === 1.5],
  ] as const
) {
  Deno.test(`verify() + sends ${name} in a body`, async () => {
    const Strict = z.object({ count: z.int(), isOpen: z.boolean(), title: z.string() });
    let times = 0;
    @RestController()
    class CountController {
      @PostMapping({ path: "/counts", returns: z.string() }, RequestBody(Strict))
      post(_: z.infer<typeof Strict>) {
        return "ok";
      }
    }
    await using app = await bootstrap({
      components: [CountController],
      middleware: [async (context, next) => {
        const text = await context.req.raw.clone().text();
        const sent = text.startsWith('{"count') ? JSON.parse(text) : {};
        if (isWrong(sent.count, sent.isOpen, sent.title)) times++;
        await next();
      }],
    });
    await verify(app);
    assertEquals(times > 0, true);
  });
}

Deno.test("verify() + sends '__proto__' as a field that the schema does not have", async () => {
  let sent = 0;
  @RestController()
  class OpenController {
    @PostMapping({ path: "/pets", returns: z.string() }, RequestBody(NewPet))
    post(pet: NewPet) {
      assertEquals(Object.getPrototypeOf(pet), NewPet.prototype);
      return "ok";
    }
    @PostMapping(
      { path: "/strict", returns: z.string() },
      RequestBody(z.strictObject({ a: z.int() })),
    )
    strict(_: unknown) {
      return "ok";
    }
  }
  await using app = await bootstrap({
    components: [OpenController],
    middleware: [async (context, next) => {
      if ((await context.req.raw.clone().text()).includes('"__proto__":')) sent++;
      await next();
    }],
  });
  await verify(app);
  assertEquals(sent > 0, true);
});

Deno.test("verify() + rejects names of unknown operations", async () => {
  @RestController()
  class SmallController {
    @GetMapping("/a")
    a() {}
  }
  await using app = await bootstrap({ components: [SmallController] });
  assertEquals((await verify(app, { except: ["/a"] })).operations, 0);
  await assertRejects(
    () => verify(app, { only: ["GET /b"] }),
    TypeError,
    "Cannot verify 'GET /b': expected one of 'GET /a'",
  );
});

Deno.test("Samples + values fit their schemas, certified by the validator", async () => {
  const reader = new SchemaReader({});
  const checks = await schemaChecks(reader);
  const schema = {
    type: "object",
    properties: {
      n: { type: "integer", minimum: 3, maximum: 5 },
      half: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      texts: { type: "array", items: { type: "string", pattern: "^[a-f]{4}$" }, minItems: 1 },
      either: { anyOf: [{ type: "null" }, { const: 7 }] },
    },
    required: ["n", "half", "texts", "either"],
  };
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const sample = await new Samples(checks, new Random(seed, "")).of(schema);
      assertEquals(checks.fits(schema, sample?.value), true);
      assertEquals(sample?.isCertain, true);
    }),
    { numRuns: 50 },
  );
});
