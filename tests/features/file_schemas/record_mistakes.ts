/**
 * Writes `mistakes.jsonl`: 200 files with a mistake that the cluster refuses. A misspelt or misplaced key is a mistake
 * where it is ignored, too, and of kinds that the cluster does not know.
 *
 * Usage: with the variables of `tests/servers/real.ts`, `deno run -A tests/features/file_schemas/record_mistakes.ts`
 */
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { SECURE } from "../../servers/real.ts";
import { isAccepted } from "./cluster_opinion.ts";
import { FIXTURES } from "./fixtures.ts";
import { apply, makeMistake } from "./mutations.ts";

const rows: string[] = [];
for (let seed = 1; rows.length < 200; seed++) {
  const mistake = makeMistake(FIXTURES, seed);
  if (mistake === undefined) continue;
  const { file, text } = apply(FIXTURES, mistake);
  const accepted = await isAccepted(SECURE, file, text).catch((error) => {
    if (error instanceof InvalidFilesError) return false;
    throw error;
  });
  const isKey = mistake.kind === "misspelt key" || mistake.kind === "misplaced key";
  if (accepted === false || isKey) rows.push(JSON.stringify({ ...mistake, accepted }));
}
const file = new URL("mistakes.jsonl", import.meta.url);
await Deno.writeTextFile(file, `${rows.join("\n")}\n`);
