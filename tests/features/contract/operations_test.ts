import { assertEquals } from "@std/assert";
import { operationsIn } from "../../../src/features/contract/reader.ts";
import { SchemaReader } from "../../../src/features/contract/reader.ts";

Deno.test("operationsIn() + overrides parameters of a path by those of an operation", () => {
  const document = {
    paths: {
      "/users/{id}": {
        parameters: [
          { name: "id", in: "path", required: true },
          { name: "X-Page", in: "header", of: "path" },
          { $ref: "#/components/parameters/sort" },
        ],
        get: {
          parameters: [
            { name: "x-page", in: "header", of: "operation" },
            { name: "sort", in: "cookie", of: "operation" },
            { name: "sort", in: "query", of: "operation" },
          ],
        },
        delete: {},
        summary: "no operation",
      },
    },
    components: { parameters: { sort: { name: "sort", in: "query", of: "path" } } },
  };
  const found = operationsIn(new SchemaReader(document));
  assertEquals(found.map(({ method, path }) => `${method} ${path}`), [
    "GET /users/{id}",
    "DELETE /users/{id}",
  ]);
  const told = found.map(({ parameters }) =>
    parameters.map(({ in: place, name, of }) => [place, name, of])
  );
  assertEquals(told, [
    [
      ["path", "id", undefined],
      ["header", "x-page", "operation"],
      ["query", "sort", "operation"],
      ["cookie", "sort", "operation"],
    ],
    [["path", "id", undefined], ["header", "X-Page", "path"], ["query", "sort", "path"]],
  ]);
  assertEquals(operationsIn(new SchemaReader({})), []);
});
