import { median } from "../web/report.ts";
import { RUNTIMES, titleOf } from "./contenders.ts";
import { type Measured, OURS } from "./goals.ts";
import type { Effort } from "./measure.ts";
import type { Setting } from "./settings.ts";
import { rateTable, serverTable } from "./table.ts";

/** An arena that was measured. */
export interface Visit extends Measured {
  readonly loads: Setting["loads"];
  /** The most cores that other processes kept busy before or after it. */
  readonly others: number;
}

/** The tables of an arena. */
export function tablesOf({ arena, loads, results }: Visit): string {
  const title = titleOf(arena);
  const servers = serverTable(title, results, arena.scenario === "plain");
  return `${rateTable(title, loads, results)}\n\n${servers}`;
}

/** How the tables of a run were measured, in two sentences. */
export function summaryOf(run: readonly Visit[], { rounds, seconds }: Effort, on: string): string {
  const most = Math.max(0, ...run.map(({ others }) => others)).toFixed(2);
  return `Medians of ${rounds} rounds of ${seconds} s: ${on}. ` +
    `Before and after each table, other processes kept at most ${most} cores busy.`;
}

/** The tables of a run and how they were measured, as `docs/benchmarks.md` has them. */
export function pageOf(run: readonly Visit[], effort: Effort, on: string): string {
  const sections = RUNTIMES.flatMap((runtime) => {
    const visits = run.filter(({ arena }) => arena.runtime === runtime);
    return visits.length === 0 ? [] : [`### ${runtime}`, ...visits.map(tablesOf)];
  });
  return [...sections, summaryOf(run, effort, on)].join("\n\n");
}

/**
 * The rows of `docs/guide/compare.md` about requests with CORS and security headers, one for each runtime: the best result
 * of others comes first, and the best of all is bold.
 */
export function comparisonRows(run: readonly Measured[]): readonly (readonly string[])[] {
  return run.filter(({ arena }) => arena.scenario === "browser").map(({ arena, results }) => {
    const rates = results.map(({ name, rates }) => {
      return { name, rate: Math.round(median(rates.get("GET /users/{id}")!.rounds)) };
    });
    const ours = rates.find(({ name }) => name === OURS)!.rate;
    const others = rates.filter(({ name }) => name !== OURS).toSorted((a, b) => b.rate - a.rate);
    const [best = "", ...rest] = others.map(({ name, rate }) => `${name} ${rate}/s`);
    const isFirst = ours >= others[0]!.rate;
    const bold = (cell: string, isBold: boolean) => isBold ? `**${cell}**` : cell;
    return [
      `\`GET\` requests with CORS and security headers on ${arena.runtime}`,
      bold(`${ours}/s`, isFirst),
      [bold(best, !isFirst), ...rest].join(", "),
      "`bench:http browser`",
    ];
  });
}
