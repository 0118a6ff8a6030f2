import { PLAIN_CLUSTERS, type RealCluster } from "../../servers/real.ts";
import { calmPlan, describePlan, type Plan } from "./plan.ts";
import { play, type Played } from "./play.ts";
import { SCENARIOS } from "./scenarios.ts";
import { serverAt } from "./server.ts";

/** A case that was played, and where. */
export interface Result extends Played {
  readonly plan: Plan;
  /** The version of the cluster. */
  readonly version: string;
  readonly ms: number;
}

/** The clusters of the proof. */
export const REINDEX_CLUSTERS: readonly RealCluster[] = PLAIN_CLUSTERS;

/** Every scenario without any trouble. */
export const CALM: readonly Plan[] = SCENARIOS.map((scenario) => calmPlan(scenario));

/**
 * Plays cases on a cluster, some of them at once: most of the time they wait.
 *
 * @param atOnce how many
 * @param onResult called with each
 * @param until whether to go on
 */
export async function playAll(
  { url }: RealCluster,
  plans: readonly Plan[],
  atOnce: number,
  onResult: (result: Result) => void = () => {},
  until: () => boolean = () => true,
): Promise<readonly Result[]> {
  const { json } = await serverAt(url).must("GET", "/");
  const version: string = json.version.number;
  const results: Result[] = [];
  const queue = plans.values();
  const work = async () => {
    for (const plan of queue) {
      if (!until()) return;
      const started = performance.now();
      const played = await play(url, plan);
      const result = { ...played, plan, version, ms: performance.now() - started };
      results.push(result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** The result in a line, and what is wrong below it. */
export function describeResult(
  { plan, version, ms, isHit, problems, ends, requests }: Result,
): string {
  const isLate = !isHit && !["none", "two at once"].includes(plan.trouble);
  const head = [
    problems.length === 0 ? "ok    " : "FAILED",
    describePlan(plan),
    `(${version}, ${(ms / 1000).toFixed(1)} s${isLate ? ", ended before it" : ""})`,
  ].join(" ");
  if (problems.length === 0) return head;
  const sent = requests.flatMap((lines, run) => [
    `  run ${run + 1} ended: ${ends[run] ?? "?"}; it sent:`,
    ...lines.map((line, index) => `    ${index + 1} ${line}`),
  ]);
  return [head, ...problems.map((problem) => `  - ${problem}`), ...sent].join("\n");
}

/** The page `docs/proofs/reindex.md`. */
export function reportOf(results: readonly Result[], command: string): string {
  const troubles = [...new Set(results.map(({ plan }) => plan.trouble))];
  const rows = SCENARIOS.map(({ name }) => {
    const cells = troubles.map((trouble) =>
      cellOf(results.filter(({ plan }) => plan.scenario.name === name && plan.trouble === trouble))
    );
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  const sum = (of: (result: Result) => number, among = results) =>
    among.reduce((total, result) => total + of(result), 0).toLocaleString("en");
  const isConversion = ({ plan }: Result) => plan.scenario.from === "concrete";
  const wrong = results.filter(({ problems }) => problems.length > 0);
  const versions = [...new Set(results.map(({ version }) => version))].sort();
  const date = new Date().toISOString().slice(0, 10);
  return `<!-- Written by '${command}' on ${date}. -->

# Live reindex under kills, freezes and second runs

\`${command}\` on ${date}, OpenSearch ${
    versions.join(" and ")
  }: ${results.length} cases, ${wrong.length} wrong.

Applications write through the name of an index (index, update, delete, delete and make again) and search through it
and its aliases, while runs in processes of their own bring it to what its file says. A seed chooses the scenario, what
befalls the run, at which of its requests, before the cluster gets the request or when it has done it, and what the file
is when the next run comes. In the end every document is compared with the answers that the writers received, by text and
version; nothing else may be left: no block, no copy, no marker, no task; aliases and settings are those of the file.

| | |
| --- | --- |
| writes that were confirmed | ${sum(({ writes }) => writes)} |
| documents lost, wrong or extra | ${wrong.length === 0 ? 0 : "see below"} |
| searches | ${sum(({ searches }) => searches)} |
| searches that failed, alias to alias | ${
    sum(({ failedReads }) => failedReads, results.filter((result) => !isConversion(result)))
  } |
| searches that failed when an index became an alias | ${
    sum(({ failedReads }) => failedReads, results.filter(isConversion))
  } |
| cases in which the run had ended before the request | ${
    sum(({ isHit, plan }) => isHit || ["none", "two at once"].includes(plan.trouble) ? 0 : 1)
  } |

A cell is the number of cases.

| | ${troubles.join(" | ")} |
| --- |${" --- |".repeat(troubles.length)}
${rows.join("\n")}
${wrong.length === 0 ? "" : `\n## Wrong\n\n${wrong.map(wrongOf).join("\n")}\n`}`;
}

function cellOf(results: readonly Result[]): string {
  const wrong = results.filter(({ problems }) => problems.length > 0).length;
  return wrong === 0 ? `${results.length || ""}` : `${results.length}, ${wrong} wrong`;
}

function wrongOf({ plan, version, problems }: Result): string {
  return `- ${describePlan(plan)} (${version}): \`${problems.join("; ").slice(0, 400)}\``;
}
