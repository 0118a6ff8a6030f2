import { assertEquals, assertStringIncludes } from "@std/assert";
import { walk } from "@std/fs/walk";
import { allMutants, runMutation } from "../../tools/_mutation.ts";
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

Deno.test("mutants of the examples + a slice: only those survive that the proof lists", async () => {
  const proof = await Deno.readTextFile(PROOF);
  assertStringIncludes(proof, `| ${(await allMutants()).length} `);
  for (const { project, mutant, caughtBy } of await runMutation((_, index) => index % 25 === 0)) {
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
