import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type FileProblem, InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { clusterTest, SECURE } from "../../servers/real.ts";
import { isAccepted } from "./cluster_opinion.ts";
import { FIXTURES } from "./fixtures.ts";
import { apply, type Mistake } from "./mutations.ts";
import { problemsOf } from "./problems.ts";

const rows = await Deno.readTextFile(fromFileUrl(new URL("mistakes.jsonl", import.meta.url)));
const MISTAKES: readonly (Mistake & { readonly accepted?: boolean })[] = rows.trim().split("\n")
  .map((row) => JSON.parse(row));

Deno.test("validate finds nothing wrong with a file of any kind", async () => {
  for (const [path, value] of Object.entries(FIXTURES)) {
    assertEquals(await problemsOf(path, JSON.stringify(value, null, 2)), [], path);
  }
});

Deno.test("validate names at least 180 of 200 mistakes by their place", async () => {
  const missed: string[] = [];
  for (const { accepted: _, ...mistake } of MISTAKES) {
    const { file, text, offsets } = apply(FIXTURES, mistake);
    const problems = await problemsOf(file, text);
    if (problems.some((problem) => offsets.includes(offsetOf(text, problem)))) continue;
    const found = problems.map(({ line, message }) => `${line}: ${message}`).join("; ");
    missed.push(`${JSON.stringify(mistake)}: ${found || "nothing"}`);
  }
  assertEquals(MISTAKES.length, 200);
  assert(missed.length <= 20, `${missed.length} missed:\n${missed.join("\n")}`);
});

clusterTest(
  SECURE,
  "a cluster refuses what counts as a mistake, and no file without one",
  async () => {
    for (const [path, value] of Object.entries(FIXTURES)) {
      const accepted = await isAccepted(SECURE, path, JSON.stringify(value));
      assert(accepted !== false, `${path} is refused, or its API is missing in 'ABSENT'`);
    }
    for (const { accepted, ...mistake } of MISTAKES) {
      const { file, text } = apply(FIXTURES, mistake);
      const found = await isAccepted(SECURE, file, text).catch((error) => {
        if (error instanceof InvalidFilesError) return false;
        throw error;
      });
      // OpenSearch 2 makes a repository at once, and misses its location then.
      const isMissed = mistake.file === "my_repository.json" && mistake.kind === "misplaced key" &&
        SECURE.name.startsWith("OpenSearch 2");
      assertEquals(found, accepted && !isMissed, JSON.stringify(mistake));
    }
  },
);

function offsetOf(text: string, { line = 1, column = 1 }: FileProblem): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}
