import { assertEquals, assertStringIncludes } from "@std/assert";
import { walk } from "@std/fs/walk";
import { depth } from "../long/mod.ts";
import { allMutants, runMutation } from "../../tools/_mutation.ts";
import { evidenceOf } from "../../tools/_evidence.ts";
import { mutantsOf } from "../../tools/_mutants.ts";

const ANNOTATION = /^ *@(?:Authenticated|RolesAllowed|PermitAll|PreAuthorize)\(/gm;
const PROOF = new URL("../../docs/proofs/mutation.md", import.meta.url);

Deno.test("mutantsOf() + changes one thing at a time", () => {
  const source = `class A {
  @PermitAll()
  @GetMapping("/a", RequestParam("n", "int", { defaultValue: 1 }))
  get(n: number) { return { n }; }
}`;
  const changes = mutantsOf("a.ts", source).map(({ kind, change }) => `${kind}: ${change}`);
  assertEquals(changes, [
    "annotation of security: @PermitAll() → nothing",
    'parameter: RequestParam("n", "int", { defaultValue: 1 }) → RequestParam("other-name", "int", { defaultValue: 1 })',
    'parameter type: "int" → "number"',
    'parameter type: "int" → "string"',
    "default: defaultValue: 1 → defaultValue: 2",
    "returned field: a field 'secret' is added",
    "returned field: field 'n' is left out",
    "returned field: n → n: null as never",
  ]);
});

Deno.test("mutantsOf() + moves limits both ways, takes defaults of the list they are in, and knows what is returned", () => {
  const source = `const kind = z.enum(["book", "game"]).default("book");
const name = z.string().max(40);
class A {
  create() {
    const made = { id: 1 };
    const kept = { other: 1 };
    return made;
  }
}`;
  const changes = mutantsOf("a.ts", source).map(({ kind, change, method }) =>
    `${kind}: ${change} ${method ?? ""}`
  );
  assertEquals(changes.slice(0, 1), ['default: "book" → "game" ']);
  assertEquals(changes.filter((one) => one.startsWith("limit")), [
    "limit: 40 → 41 ",
    "limit: 40 → 39 ",
  ]);
  assertEquals(changes.filter((one) => one.startsWith("returned")), [
    "returned field: a field 'secret' is added A.create",
    "returned field: field 'id' is left out A.create",
    "returned field: id: 1 → id: null as never A.create",
  ]);
});

Deno.test("evidenceOf() + is what the documents say, and nothing else", () => {
  const documentOf = (input: unknown, output: unknown) => ({
    openapi: "3.1.0",
    paths: {
      "/a": {
        get: {
          operationId: "userController_get",
          parameters: [{ name: "n", in: "query", required: true, schema: input }],
          responses: {
            200: {
              content: {
                "application/json": { schema: { type: "object", properties: { id: output } } },
              },
            },
          },
        },
      },
    },
  });
  const mutant = {
    file: "a.ts",
    line: 1,
    kind: "limit",
    change: "",
    source: "",
    method: "UserController.get",
  } as const;
  const int = { type: "integer" }, either = { type: ["integer", "null"] };
  const before = documentOf(int, int);
  assertStringIncludes(
    evidenceOf(mutant, before, documentOf({ type: "number" }, int)) ?? "",
    "takes more than before, by comparison (GET /a, query 'n'",
  );
  // Narrower inputs, other outputs, and the same documents say nothing.
  assertEquals(evidenceOf(mutant, documentOf({ type: "number" }, int), before), undefined);
  assertEquals(evidenceOf(mutant, documentOf(int, either), before), undefined);
  assertEquals(evidenceOf(mutant, before, before), undefined);
  const nulled = { ...mutant, nulled: "id" };
  assertEquals(evidenceOf(nulled, before, before), undefined);
  const open = documentOf(int, either);
  assertEquals(
    evidenceOf(nulled, open, open),
    "`null` is declared for 'id' of UserController.get()",
  );
  assertEquals(evidenceOf({ ...nulled, method: "OtherController.get" }, open, open), undefined);
});

Deno.test("mutants of the examples + a slice: only those survive that the proof lists", async () => {
  const proof = await Deno.readTextFile(PROOF);
  assertStringIncludes(proof, `| ${(await allMutants()).length} `);
  const outcomes = await runMutation((_, index) => index % depth(200, 25) === 0);
  assertEquals(outcomes.some(({ caughtBy }) => caughtBy.length > 0), true);
  for (const { project, mutant, caughtBy } of outcomes) {
    if (caughtBy.length > 0) continue;
    assertStringIncludes(proof, `${project}, \`${mutant.file}:${mutant.line}\``);
  }
});

Deno.test("mutants of the examples + each annotation of security that is removed turns a test red", async () => {
  const outcomes = await runMutation(({ kind }) => kind === "annotation of security");
  const untested = outcomes.filter(({ caughtBy }) => !caughtBy.includes("own tests"));
  assertEquals(
    untested.map(({ mutant: { file, line, change } }) => `${file}:${line} ${change}`),
    [],
  );
  let written = 0;
  for await (const { path } of walk("examples/tracks/src", { includeDirs: false })) {
    written += [...(await Deno.readTextFile(path)).matchAll(ANNOTATION)].length;
  }
  assertEquals(outcomes.length, written);
});
