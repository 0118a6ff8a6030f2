import { median } from "../web/report.ts";
import type { Round } from "./measure.ts";

/** Prints what was measured as a Markdown table: medians, and each ratio that of one round. */
export function printTable(documents: number, rounds: readonly Round[]): void {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const count = documents.toLocaleString("en-US");
  const [bareRate, oursRate] = [0, 1].map((i) => of(({ rates }) => rates[i]!).toFixed(0));
  const how = rounds.length === 1 ? "one round" : `medians of ${rounds.length} rounds`;
  console.log(`\n${count} documents, ${how}\n`);
  row("", "seconds", "ratio");
  row("---", "--:", "--:");
  row(
    `bare \`_reindex\` with \`refresh=true\`, ${bareRate} writes a second`,
    seconds(of(({ found }) => found)),
    "1.00",
  );
  row(
    "of which until its task ended, with nothing to be found",
    seconds(of(({ bare }) => bare)),
    of(({ bare, found }) => bare / found).toFixed(2),
  );
  row(
    `irori, ${oursRate} writes a second`,
    seconds(of(({ ours }) => ours)),
    of(({ ours, found }) => ours / found).toFixed(2),
  );
  row("of which a run that finds nothing to do", seconds(of(({ start }) => start)), "");
  row(
    "block + refresh + one scan of ids",
    `${seconds(of(({ least }) => sum(Object.values(least))))} (${
      ["block", "refresh", "scan"].map((part) =>
        seconds(of(({ least }) => least[part as keyof Round["least"]]))
      ).join(" + ")
    })`,
    "1.00",
  );
  pauseRow("pause, as the run says", ({ pause }) => pause ?? Number.NaN);
  pauseRow("pause, as writers see it", ({ refusals }) => sum(refusals));
  row("longest that a write waited", seconds(of(({ longestWait }) => longestWait)), "");
  const most = Math.max(...rounds.map(({ refusals }) => refusals.length));
  if (most > 1) console.log(`\nWriters were refused up to ${most} times in one run.`);
  console.log();

  function pauseRow(name: string, pause: (round: Round) => number): void {
    const ratio = of((round) => pause(round) / sum(Object.values(round.least)));
    row(name, seconds(of(pause)), ratio.toFixed(2));
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

function row(...cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}
