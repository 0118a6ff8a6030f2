import { assertEquals } from "@std/assert";
import { depth, IS_LONG, slice, writeProof } from "../../long/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { ask, PLAIN_CLUSTERS, type RealCluster } from "../../servers/real.ts";
import {
  type Cell,
  cells,
  type Cluster,
  describeCell,
  runCell,
  type Verdict,
} from "./fault_table.ts";

/** The verdict of each cell; a failure is a text. */
type Results = ReadonlyMap<Cell, Verdict | string>;

const ALIVE = cells().filter(({ isKilled }) => !isKilled);
const KILLED = cells().filter(({ isKilled }) => isKilled);
/** How many killed runs wait for a lease at once. */
const AT_ONCE = 4;

const proofs: string[] = [];

Deno.test("the journal says what a cluster holds after every fault, or that it is not known (double)", async () => {
  await check("the double", slice(ALIVE, depth(3, 1)), () => onDouble);
});

Deno.test("the same of runs that are killed at the fault (double)", async () => {
  await check(
    "the double, processes that are killed",
    slice(KILLED, depth(123, 41)),
    () => onDouble,
  );
});

for (const cluster of PLAIN_CLUSTERS) {
  const reason = cluster.missing === undefined ? "" : ` [skipped: ${cluster.missing}]`;
  const isThere = ({ file }: Cell) => !file.needsIsm;
  Deno.test({
    name: `the same on a real cluster (${cluster.name})${reason}`,
    ignore: cluster.missing !== undefined,
    fn: async () => {
      const alive = slice(ALIVE.filter(isThere), depth(51, 17), cluster.name.length);
      await check(cluster.name, alive, () => (cell) => runCell(cell, of(cluster)));
      const killed = slice(KILLED.filter(isThere), depth(219, 73), cluster.name.length);
      const name = `${cluster.name}, processes that are killed`;
      await check(name, killed, () => (cell) => runCell(cell, of(cluster)));
    },
  });
}

Deno.test.afterAll(() =>
  writeProof("search-faults", `# Faults of search migrations\n\n${INTRODUCTION}\n`, proofs)
);

const INTRODUCTION =
  `A proxy in front of the cluster lets the request of one file go wrong: it closes the
connection, or answers with the status or the text in the head of the column, after the cluster has done the request or
instead of passing it on; once, or as often as it is sent; the process goes on, or is killed. The next run finds the file
as it was, edited, or edited and reverted. Afterwards the journal has to say what the cluster holds, or the run has to
ask (exit 9); nothing is done twice, and there is a way on. A cell is the number of cases, and how many of them asked.
`;

async function onDouble(cell: Cell): Promise<Verdict> {
  await using double = startClusterDouble();
  return await runCell(cell, {
    url: double.url,
    ask: async (method, path, body) => {
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(double.url + path, init);
      return { status: response.status, json: await response.json() };
    },
  });
}

function of(cluster: RealCluster): Cluster {
  return { url: cluster.url, ask: (method, path, body) => ask(cluster, method, path, body) };
}

async function check(
  name: string,
  chosen: readonly Cell[],
  open: () => (cell: Cell) => Promise<Verdict>,
): Promise<void> {
  const results = new Map<Cell, Verdict | string>();
  const queue = chosen.values();
  const work = async () => {
    for (const cell of queue) {
      results.set(cell, await open()(cell).catch((error: Error) => error.message));
    }
  };
  await Promise.all(Array.from({ length: chosen[0]?.isKilled ? AT_ONCE : 1 }, work));
  proofs.push(reportOf(name, results));
  const wrong = [...results].filter(([, result]) => typeof result === "string")
    .map(([cell, result]) => `${describeCell(cell)}: ${result}`);
  assertEquals(wrong, []);
}

/** A table of files and faults: how many cases, and how many of them ended in a question. */
function reportOf(name: string, results: Results): string {
  const faults = [...new Set([...results.keys()].map(({ fault }) => fault))];
  const files = [...new Set([...results.keys()].map(({ file }) => file.name))];
  const rows = files.map((file) =>
    [
      file,
      ...faults.map((fault) => {
        const of = [...results].filter(([cell]) => cell.file.name === file && cell.fault === fault);
        const asked = of.filter(([, result]) =>
          typeof result === "object" && result.next === "InterruptedError"
        );
        const wrong = of.filter(([, result]) => typeof result === "string");
        return `${of.length}, ${asked.length}${wrong.length > 0 ? ` (${wrong.length} wrong)` : ""}`;
      }),
    ].join(" | ")
  );
  const wrong = [...results.values()].filter((result) => typeof result === "string").length;
  return `## ${name}: ${results.size} cases, ${wrong} wrong${IS_LONG ? "" : " (a slice)"}

| | ${faults.join(" | ")} |
|${"---|".repeat(faults.length + 1)}
${rows.map((row) => `| ${row} |`).join("\n")}
`;
}
