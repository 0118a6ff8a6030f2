import { RUNTIMES, titleOf } from "./contenders.ts";
import { goalTable, type Measured, OURS, verdicts } from "./goals.ts";
import type { Effort, Result } from "./measure.ts";
import type { Scenario, Setting } from "./settings.ts";
import { aligned, perSecond, rateTable, serverTable } from "./table.ts";

/** How busy the machine is while nothing is measured. */
export interface Activity {
  /** Cores that other processes keep busy. */
  readonly others: number;
  /** The load average of the last minute. */
  readonly load: number;
}

/** An arena that was measured, and how busy the machine was before and after it. */
export interface Visit extends Measured {
  readonly loads: Setting["loads"];
  readonly before: Activity;
  readonly after: Activity;
}

/** The tables of an arena. */
export function tablesOf({ arena, loads, results }: Visit): string {
  const title = titleOf(arena);
  const servers = serverTable(title, results, arena.scenario === "plain");
  return `${rateTable(title, loads, results)}\n\n${servers}`;
}

/** The part of the page below the tables of all arenas: the goals, and how busy the machine was. */
export function summaryOf(run: readonly Visit[], { rounds, seconds }: Effort, on: string): string {
  const found = verdicts(run);
  const goals = found.length > 0 ? `### Goals\n\n${goalTable(found)}\n\n` : "";
  return `${goals}### Load of the machine\n\n${activityTable(run)}\n\n` +
    `Medians of ${rounds} rounds of ${seconds} s: ${on}.`;
}

/** Everything that a run found out, as `docs/benchmarks.md` has it. */
export function pageOf(run: readonly Visit[], effort: Effort, on: string): string {
  const sections = RUNTIMES.flatMap((runtime) => {
    const visits = run.filter(({ arena }) => arena.runtime === runtime);
    return visits.length === 0 ? [] : [`### ${runtime}`, ...visits.map(tablesOf)];
  });
  return [...sections, summaryOf(run, effort, on)].join("\n\n");
}

function activityTable(run: readonly Visit[]): string {
  const head = ["busy cores, by others", "before", "after", "load average before", "after"];
  const rows = run.map(({ arena, before, after }) => {
    const figures = [before.others, after.others, before.load, after.load];
    return [titleOf(arena), ...figures.map((figure) => figure.toFixed(2))];
  });
  return aligned([head, ...rows]);
}

const WITH_HEADERS = "the same with CORS and security headers";
const throughputOf = (load: string) => ({ rates }: Result) => {
  return perSecond(rates.get(load)!.rounds).replace("/s", "");
};
const startOf = ({ start }: Result) => `${start.toFixed(0)} ms`;

/** The columns of README.md: a title, its scenario, and the text of a result; the best result comes first. */
const README: readonly [
  name: string,
  scenario: Scenario,
  text: (result: Result) => string,
  order: 1 | -1,
][] = [
  ["`GET /users/{id}` on Node, requests per second", "plain", throughputOf("GET /users/{id}"), -1],
  [WITH_HEADERS, "browser", throughputOf("GET /users/{id}"), -1],
  ["`POST /users` on Node, validated by a schema", "plain", throughputOf("POST /users"), -1],
  [WITH_HEADERS, "browser", throughputOf("POST /users"), -1],
  ["start to first response on Node", "plain", startOf, 1],
];

/** The rows of README.md about the servers on Node. */
export function readmeRows(run: readonly Measured[]): readonly (readonly string[])[] {
  return README.map(([name, scenario, text, order]) => {
    const { results = [] } = run.find(({ arena }) =>
      arena.runtime === "Node" && arena.scenario === scenario
    ) ?? {};
    const ours = results.find((result) => result.name === OURS)!;
    const others = results.filter(({ name }) => PEERS.includes(name))
      .toSorted((a, b) => order * (parseFloat(text(a)) - parseFloat(text(b))));
    const [best, ...rest] = others.map((result) => `${result.name} ${text(result)}`);
    const isFirst = order * (parseFloat(text(ours)) - parseFloat(text(others[0]!))) <= 0;
    const bold = (cell = "", isBold: boolean) => isBold ? `**${cell}**` : cell;
    return [name, bold(text(ours), isFirst), [bold(best, !isFirst), ...rest].join(", "), COMMAND];
  });
}

const PEERS = ["Fastify", "Hono", "NestJS on Fastify"];
/** The command that prints these rows. */
const COMMAND = "`bench:http node`";
