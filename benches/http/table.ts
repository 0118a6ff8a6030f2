import { median } from "../web/report.ts";
import { FURTHER_CHECKS } from "./answers.ts";
import type { Load } from "./load.ts";
import { type Result, throughputRatio } from "./measure.ts";

/** The requests per second of an arena's servers, compared with the first one, as a Markdown table. */
export function rateTable(
  title: string,
  loads: readonly Load[],
  results: readonly Result[],
): string {
  const [first] = results;
  const rows = results.map(({ name, rates }) => [
    name,
    ...loads.map((load) => {
      const rate = rates.get(load.name)!;
      const ratio = throughputRatio(rate, first!.rates.get(load.name)!);
      return `${ratio.toFixed(2)}, ${perSecond(rate.rounds)}, ${microseconds(rate.cpu)}`;
    }),
  ]);
  return aligned([[title, ...loads.map(({ name }) => name)], ...rows]);
}

/** The start time, memory and size of an arena's servers, as a Markdown table; their further checks if asked for. */
export function serverTable(
  title: string,
  results: readonly Result[],
  hasChecks: boolean,
): string {
  const further = hasChecks ? FURTHER_CHECKS : [];
  const head = [title, "start", "memory at rest", "under load", "lines", ...further];
  const rows = results.map(({ name, start, memory, lines, checks }) => [
    name,
    `${start.toFixed(0)} ms`,
    mebibytes(memory.rest),
    mebibytes(memory.load),
    `${lines}`,
    ...further.map((_, index) => checks[index] ? "refused" : "taken"),
  ]);
  return aligned([head, ...rows]);
}

/** A median of requests in a second. */
function perSecond(rounds: readonly number[]): string {
  return `${median(rounds).toFixed(0)}/s`;
}

/** Processor time of a request. */
export function microseconds(value: number): string {
  return `${value.toFixed(1)} µs`;
}

/** Memory of a process. */
export function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}

/** A Markdown table whose first row is its head. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
