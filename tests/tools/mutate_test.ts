import { assertEquals, assertStringIncludes } from "@std/assert";
import { allMutants, runMutation } from "../../tools/_mutation.ts";
import { mutantsOf } from "../../tools/_mutants.ts";

const PROOF = new URL("../../docs/proofs/mutation.md", import.meta.url);

Deno.test("mutantsOf() + changes one thing at a time", () => {
  const source = `class A {
  @GetMapping("/a", RequestParam("n", "int", { defaultValue: 1 }))
  get(n: number) { return { n }; }
}`;
  const changes = mutantsOf("a.ts", source).map(({ kind, change }) => `${kind}: ${change}`);
  assertEquals(changes, [
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
  for (const { project, mutant, caughtBy } of await runMutation(25)) {
    if (caughtBy.length > 0) continue;
    assertStringIncludes(proof, `${project}, \`${mutant.file}:${mutant.line}\``);
  }
});
