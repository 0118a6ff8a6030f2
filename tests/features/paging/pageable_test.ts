import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import {
  bootstrap,
  GetMapping,
  MappingError,
  Model,
  RequestParam,
  RestController,
} from "../../../mod.ts";
import { client } from "../../../src/features/client/mod.ts";
import { contractModule, contractOf, openApiDocument } from "../../../src/features/contract/mod.ts";
import {
  Page,
  Pageable,
  type PageableOptions,
  pageOf,
  Slice,
  sliceOf,
} from "../../../src/features/paging/mod.ts";
import { verify } from "../../../src/features/testing/mod.ts";

class UserView extends Model(z.object({ id: z.int(), at: z.date() })) {}

@RestController()
class UserController {
  @GetMapping(
    { path: "/users", returns: pageOf(UserView) },
    Pageable({ maxSize: 10, size: 2, sort: ["id", "name"], defaultSort: "name,desc" }),
  )
  list(pageable: Pageable<"id" | "name">) {
    const { offset, size, sort } = pageable;
    const [order] = sort;
    const first = order?.direction === "asc" ? offset + 1 : 5 - offset;
    const length = Math.max(0, Math.min(size, 5 - offset));
    const step = order?.direction === "asc" ? 1 : -1;
    const rows = Array.from(
      { length },
      (_, index) => ({ id: first + index * step, at: new Date(0) }),
    );
    return new Page(rows, pageable, 5);
  }

  @GetMapping({ path: "/users/again", returns: pageOf(UserView) }, Pageable())
  again(pageable: Pageable<never>): Page<{ id: number; at: Date }> {
    return new Page([], pageable, 0);
  }

  @GetMapping({ path: "/users/slices", returns: sliceOf(z.object({ id: z.int() })) }, Pageable())
  slices(pageable: Pageable<never>) {
    return new Slice([{ id: 1 }], pageable, true);
  }
}

Deno.test("Pageable() + refuses options that cannot work, when it is made", () => {
  const make = (options: object) => () => Pageable(options as PageableOptions<string>);
  const table: [options: object, message: string][] = [
    [{ size: 0 }, "expected a whole number from 1 as size, found '0'"],
    [{ maxSize: 1.5 }, "expected a whole number from 1 as maxSize, found '1.5'"],
    [{ size: 200 }, "expected a size up to maxSize (100), found '200'"],
    [{ sort: ["a,b"] }, "expected a name without commas in 'sort', found 'a,b'"],
    [{ sort: [""] }, "expected a name without commas in 'sort', found ''"],
    [{ sort: ["a"], defaultSort: "b" }, "as the default sort, found 'b'"],
    [{ defaultSort: "b" }, "expected the fields of 'defaultSort' in 'sort', which lists none"],
    [{ sort: "a" }, "expected a list of fields as 'sort', found 'a'"],
    [{ sort: [5] }, "expected a name without commas in 'sort', found '5'"],
    [null as unknown as object, "expected options, found 'null'"],
    ["a" as unknown as object, "expected options, found 'a'"],
  ];
  for (const [options, message] of table) assertThrows(make(options), MappingError, message);
  make({ size: 1, maxSize: 1 })();
});

Deno.test("Pageable() + is the only one of a handler that reads its parameters", async () => {
  @RestController()
  class Twice {
    @GetMapping("/twice", Pageable({ size: 5 }), Pageable({ size: 7 }))
    twice(_one: Pageable<never>, _other: Pageable<never>) {}
  }
  @RestController()
  class Beside {
    @GetMapping("/beside", RequestParam("size", "int"), Pageable())
    beside(_size: number, _pageable: Pageable<never>) {}
  }
  for (const [type, name] of [[Twice, "page"], [Beside, "size"]] as const) {
    await assertRejects(
      () => bootstrap({ components: [type] }),
      MappingError,
      `the parameters 1 and 2 both bind the query parameter '${name}'`,
    );
  }
});

Deno.test("pageOf(), sliceOf() + refuse what is no schema", () => {
  for (const wrong of [undefined, null, "x", {}] as never[]) {
    assertThrows(() => pageOf(wrong), TypeError, "pageOf(): expected the schema of an element");
    assertThrows(() => sliceOf(wrong), TypeError, "sliceOf(): expected the schema of an element");
  }
});

Deno.test("Pageable() + is described: parameters, links, and components of pages", async () => {
  const app = await bootstrap({ components: [UserController] });
  const document = openApiDocument(app.routeTable, { title: "t", version: "1" });
  const { valid, errors } = await new Validator().validate(document as never);
  assertEquals([valid, errors], [true, undefined]);
  const list = document.paths["/users"]?.get;
  assertEquals(list?.parameters, [
    {
      name: "page",
      in: "query",
      required: false,
      schema: {
        type: "integer",
        format: "int64",
        minimum: 1,
        maximum: 900719925474099,
        default: 1,
      },
    },
    {
      name: "size",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 10, default: 2 },
    },
    {
      name: "sort",
      in: "query",
      required: false,
      schema: {
        type: "array",
        items: {
          type: "string",
          enum: ["id", "id,asc", "id,desc", "name", "name,asc", "name,desc"],
        },
        default: ["name,desc"],
      },
    },
  ]);
  const { headers, content } = list?.responses[200] ?? {};
  assertEquals(Object.keys(headers ?? {}), ["Link"]);
  assertEquals(content?.["application/json"]?.schema, {
    $ref: "#/components/schemas/UserViewPage",
  });
  assertEquals(list?.responses[400]?.headers, undefined);
  const { schemas } = document.components;
  assertEquals(Object.keys(schemas), [
    "PageMetadata",
    "ProblemDetail",
    "SliceMetadata",
    "UserView",
    "UserViewPage",
  ]);
  assertEquals(schemas.UserViewPage, {
    type: "object",
    properties: {
      content: { type: "array", items: { $ref: "#/components/schemas/UserView" } },
      page: { $ref: "#/components/schemas/PageMetadata" },
    },
    required: ["content", "page"],
  });
});

Deno.test("Pageable() + an application of pages keeps to its document", async () => {
  await using app = await bootstrap({ components: [UserController] });
  const { operations } = await verify(app, { runs: 30 });
  assertEquals(operations, 3);
});

Deno.test("Pageable() + clients are typed, by the contract and by the class", async () => {
  const app = await bootstrap({ components: [UserController] });
  const text = contractModule(app.routeTable);
  const sort = ["id", "id,asc", "id,desc", "name", "name,asc", "name,desc"]
    .map((one) => `"${one}"`).join(" | ");
  assertStringIncludes(
    text,
    `arguments: { page?: number; size?: number; sort?: readonly (${sort})[] }; result: UserViewPage;`,
  );
  assertStringIncludes(
    text,
    "export type UserViewPage = { content: UserView[]; page: PageMetadata };",
  );
  const { UserController: contract = {} } = contractOf(app.routeTable);
  const users = client<UserController>("http://localhost", contract, {
    fetch: async (request) => await app.fetch(request),
  });
  const { content, page } = await users.list({ page: 2, sort: ["id,asc", "name"] });
  const at: string | undefined = content[0]?.at;
  assertEquals([content.map(({ id }) => id), at?.slice(0, 4), page.totalPages], [
    [3, 4],
    "1970",
    3,
  ]);
  assertEquals((await users.list({ sort: "id,desc" })).content.map(({ id }) => id), [5, 4]);
  const named = client("http://localhost", { UserController: contract }, {
    fetch: async (request) => await app.fetch(request),
  });
  const { content: last } = await named.user.list!({ page: 3, sort: "id" }) as {
    content: typeof content;
  };
  assertEquals(last.map(({ id }) => id), [5]);
  // @ts-expect-error no field that may be sorted by
  await users.list({ sort: "password" }).catch(() => {});
  // @ts-expect-error none may be
  await users.again({ sort: "id" }).catch(() => {});
});

// Never run: the test is that the marked lines do not compile.
export class Refused {
  // @ts-expect-error a field that nobody may sort by
  @GetMapping("/a", Pageable({ sort: ["id"] }))
  field(_pageable: Pageable<"name">) {}

  // @ts-expect-error the elements are not what the schema takes
  @GetMapping({ path: "/b", returns: pageOf(UserView) }, Pageable())
  element(pageable: Pageable<never>) {
    return new Page([{ id: 1, at: "today" }], pageable, 1);
  }

  // @ts-expect-error the schema has no such property
  @GetMapping({ path: "/c", returns: pageOf(UserView) }, Pageable())
  excess(pageable: Pageable<never>) {
    return new Page([{ id: 1, at: new Date(), password: "x" }], pageable, 1);
  }

  // @ts-expect-error nobody has counted
  @GetMapping({ path: "/d", returns: pageOf(UserView) }, Pageable())
  slice(pageable: Pageable<never>) {
    return new Slice([{ id: 1, at: new Date() }], pageable, true);
  }

  // @ts-expect-error a list is no page
  @GetMapping({ path: "/e", returns: pageOf(UserView) }, Pageable())
  list(_pageable: Pageable<never>) {
    return [{ id: 1, at: new Date() }];
  }

  // @ts-expect-error the default is none of the fields
  default = Pageable({ sort: ["id"], defaultSort: "name" });
}
