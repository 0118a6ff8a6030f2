/**
 * Measures the copy of a live index under 500 writes a second by the command line, in a process of its own, against one
 * bare `_reindex` under the same writes, and for how long writers are refused against a block, a refresh and one scan of ids.
 *
 * ```sh
 * deno task bench:reindex
 * deno task bench:reindex --documents 10000,200000,1000000 --rounds 1
 * ```
 *
 * Starts an OpenSearch of its own unless `IRORI_TEST_OPENSEARCH_URL` names one.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { machine } from "./machine.ts";
import { measure, type Round } from "./reindex/measure.ts";
import { printTable } from "./reindex/print.ts";
import { openSearch } from "./servers.ts";
import { median } from "./web/report.ts";

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "200000" },
    rounds: { type: "string", default: "5" },
  },
});
const ROUNDS = Number(values.rounds);
const GOAL = { documents: 200_000, ratio: 1.3 };

// With less, pages of 10,000 ids beside a copy are refused for want of memory.
await using server = await openSearch("2g");
const folder = await Deno.makeTempDir({ prefix: "irori-bench-" });
try {
  // Not counted: a server that has just started is slower.
  await measure(server.url, folder, 20_000, 1);
  for (const documents of values.documents.split(",").map(Number)) {
    const rounds = await measure(server.url, folder, documents, ROUNDS);
    printTable(documents, rounds);
    if (documents !== GOAL.documents) continue;
    const isMet = [
      verdict("a bare _reindex with refresh=true", rounds, ({ found, ours }) => ours / found),
      verdict("one whose documents are not searched yet", rounds, ({ bare, ours }) => ours / bare),
    ];
    if (!isMet[0]) Deno.exitCode = 1;
  }
  console.log(`\n${machine()}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}

function verdict(
  of: string,
  rounds: readonly Round[],
  ratioOf: (round: Round) => number,
): boolean {
  const ratio = median(rounds.map(ratioOf));
  const isMet = ratio <= GOAL.ratio;
  console.log(
    `${isMet ? "holds" : "DOES NOT HOLD"}: at most ${GOAL.ratio} × ${of} (${ratio.toFixed(2)})`,
  );
  return isMet;
}
