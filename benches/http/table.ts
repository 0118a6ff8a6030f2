import { LOADS } from "./load.ts";
import type { Result } from "./measure.ts";

/** The results of one runtime as a Markdown table. */
export function table(runtime: string, results: readonly Result[]): string {
  const head = [
    runtime,
    ...LOADS.map(({ name }) => name),
    "start",
    "memory at rest",
    "under load",
    "lines",
  ];
  const rows = results.map(({ name, rates, start, memory, lines }) => [
    name,
    ...rates.map(({ perSecond, ratio, cpu }) => {
      return `${ratio.toFixed(2)}, ${Math.round(perSecond)}/s, ${cpu.toFixed(1)} µs`;
    }),
    `${start.toFixed(0)} ms`,
    megabytes(memory.rest),
    megabytes(memory.load),
    `${lines}`,
  ]);
  return aligned([head, ...rows]);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
