import { assert, assertEquals } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import * as z from "zod";
import {
  bootstrap,
  FormParam,
  GetMapping,
  Model,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "@irori/irori";
import { openApiDocument } from "@irori/irori/openapi";
import { Page, Pageable, pageOf } from "@irori/irori/paging";
import { quietly } from "../../conformance/quietly.ts";
import { installed } from "../../../tools/_npm.ts";

const Author: z.ZodType = z.object({
  name: z.string(),
  get books() {
    return z.array(Book).optional();
  },
}).meta({ id: "Author" });
const Book: z.ZodType = z.object({
  title: z.string(),
  language: z.string().default("en"),
  get author() {
    return Author.optional();
  },
}).meta({ id: "Book" });
const Cat = z.object({ kind: z.literal("cat"), lives: z.int() }).meta({ id: "Cat" });
const Dog = z.object({ kind: z.enum(["dog", "wolf"]) }).meta({ id: "Dog" });
const Pet = z.discriminatedUnion("kind", [Cat, Dog]);
const search = z.object({
  q: z.string(),
  tag: z.array(z.string()).optional(),
  page: z.coerce.number().default(1),
});
class Search extends Model(search) {}
const Form = z.object({ name: z.string(), tags: z.array(z.string()) });

@RestController()
class ApiController {
  @PostMapping({ path: "/books", returns: Book }, RequestBody(Book))
  book(book: unknown) {
    return book as never;
  }

  @PostMapping({ path: "/pets", returns: Pet }, RequestBody(Pet))
  pet(pet: z.infer<typeof Pet>) {
    return pet;
  }

  @GetMapping({ path: "/search", returns: search }, RequestParam(Search))
  search(query: Search) {
    return { ...query };
  }

  @GetMapping({ path: "/tags", returns: z.array(z.string()) }, RequestParam("tag", { list: true }))
  tags(tag: string[]) {
    return tag;
  }

  @PostMapping(
    { path: "/forms", returns: Form, consumes: "application/x-www-form-urlencoded" },
    FormParam(Form),
  )
  form(form: z.infer<typeof Form>) {
    return form;
  }

  @GetMapping(
    { path: "/items/{id}", returns: z.object({ id: z.int() }) },
    PathVariable("id", "int"),
  )
  item(id: number) {
    return { id };
  }

  @GetMapping({ path: "/pages", returns: pageOf(Cat) }, Pageable())
  pages(pageable: Pageable<never>) {
    return new Page([{ kind: "cat" as const, lives: pageable.page }], pageable, 5);
  }
}

interface Generator {
  readonly name: string;
  readonly packages: readonly string[];
  /** The arguments of its command; `api.json` is the document. */
  readonly command: readonly string[];
  /** A module whose `call(url)` resolves to what the calls of {@linkcode CALLS} resolve to. */
  readonly module: string;
}

const BOOK = '{ title: "Emma", author: { name: "Jane", books: [{ title: "Persuasion" }] } }';
const QUERY = '{ q: "a b", tag: ["x,y"], page: 3 }';
const FORM = '{ name: "Ada", tags: ["1,2"] }';

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript with openapi-fetch",
    packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"],
    command: ["openapi-typescript", "api.json", "-o", "paths.ts", "--default-non-nullable=false"],
    module: `import createClient from "openapi-fetch";
import type { paths } from "./paths.ts";
export async function call(baseUrl: string) {
  const api = createClient<paths>({ baseUrl });
  const form = ${FORM};
  return (await Promise.all([
    api.POST("/books", { body: ${BOOK} }),
    api.POST("/pets", { body: { kind: "wolf" } }),
    api.GET("/search", { params: { query: ${QUERY} } }),
    api.GET("/tags", { params: { query: { tag: ["a,b"] } } }),
    api.POST("/forms", {
      body: form,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      bodySerializer: ({ name, tags }) =>
        new URLSearchParams([["name", name], ...tags.map((tag) => ["tags", tag])]),
    }),
    api.GET("/items/{id}", { params: { path: { id: 2 ** 40 } } }),
    api.GET("/pages", { params: { query: { page: 2, size: 1 } } }),
  ])).map(({ data }) => data);
}`,
  },
  {
    name: "@hey-api/openapi-ts",
    packages: ["@hey-api/openapi-ts@0.95.0"],
    command: ["openapi-ts", "-i", "api.json", "-o", "hey"],
    module: `import * as api from "./hey";
import { client } from "./hey/client.gen";
export async function call(baseUrl: string) {
  client.setConfig({ baseUrl });
  return (await Promise.all([
    api.apiControllerBook({ body: ${BOOK} }),
    api.apiControllerPet({ body: { kind: "wolf" } }),
    api.apiControllerSearch({ query: ${QUERY} }),
    api.apiControllerTags({ query: { tag: ["a,b"] } }),
    api.apiControllerForm({ body: ${FORM} }),
    api.apiControllerItem({ path: { id: 2 ** 40 } }),
    api.apiControllerPages({ query: { page: 2, size: 1 } }),
  ])).map(({ data }) => data);
}`,
  },
  {
    name: "orval",
    packages: ["orval@7.13.2"],
    command: ["orval", "--input", "api.json", "--output", "api.ts", "--client", "fetch"],
    module: `import * as api from "./api";
export async function call(base: string) {
  const { fetch } = globalThis;
  globalThis.fetch = (path, init) => fetch(base + path, init);
  try {
    return (await Promise.all([
      api.apiControllerBook(${BOOK}),
      api.apiControllerPet({ kind: "wolf" }),
      api.apiControllerSearch(${QUERY}),
      api.apiControllerTags({ tag: ["a,b"] }),
      api.apiControllerForm(${FORM}),
      api.apiControllerItem(2 ** 40),
      api.apiControllerPages({ page: 2, size: 1 }),
    ])).map(({ data }) => data);
  } finally {
    globalThis.fetch = fetch;
  }
}`,
  },
];

const EXPECTED = [
  {
    title: "Emma",
    language: "en",
    author: { name: "Jane", books: [{ title: "Persuasion", language: "en" }] },
  },
  { kind: "wolf" },
  { q: "a b", tag: ["x,y"], page: 3 },
  ["a,b"],
  { name: "Ada", tags: ["1,2"] },
  { id: 2 ** 40 },
  {
    content: [{ kind: "cat", lives: 2 }],
    page: { size: 1, number: 2, totalElements: 5, totalPages: 5 },
  },
];

Deno.test("openApiDocument() + generated clients compile and reach the handlers", async (t) => {
  const packages = GENERATORS.flatMap(({ packages }) => packages);
  const shared = await installed("generators", [...packages, "typescript@5", "esbuild@0.28"]);
  const folder = await Deno.makeTempDir();
  await using app = await bootstrap({
    components: [ApiController],
    config: { "server.port": 0, "server.address": "127.0.0.1" },
  });
  try {
    await Deno.symlink(join(shared, "node_modules"), join(folder, "node_modules"));
    const document = openApiDocument(app.routeTable, { title: "API", version: "1" });
    await Deno.writeTextFile(join(folder, "api.json"), JSON.stringify(document));
    const files = GENERATORS.map((_, index) => `use${index}.ts`);
    for (const [index, { command: [program = "", ...args], module }] of GENERATORS.entries()) {
      await Deno.writeTextFile(join(folder, files[index]!), module);
      await run(folder, program, args);
    }
    await run(folder, "tsc", [
      ..."--noEmit --strict --skipLibCheck".split(" "),
      ...BUNDLER,
      ...files,
    ]);
    await run(folder, "esbuild", [...files, "--bundle", "--format=esm", "--outdir=out"]);
    const { url } = await quietly(() => app.listen());
    for (const [index, { name }] of GENERATORS.entries()) {
      const { call } = await import(toFileUrl(join(folder, "out", `use${index}.js`)).href);
      await t.step(name, async () => assertEquals(await call(url), EXPECTED));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const BUNDLER =
  "--module esnext --target es2022 --moduleResolution bundler --lib es2022,dom,dom.iterable --allowImportingTsExtensions"
    .split(" ");

async function run(cwd: string, program: string, args: readonly string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(
    join(cwd, "node_modules/.bin", program),
    { args: [...args], cwd, stdin: "null", env: { CI: "1", DO_NOT_TRACK: "1" } },
  ).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, `${program}: ${text(stdout)}${text(stderr)}`);
}
