import { type ByPhase, type Phase, PHASES, type Result, type Size } from "./compare.ts";

/** Prints what was measured as a Markdown table. */
export function printTable(
  server: string,
  requests: string,
  { files, added, rounds }: Size,
  results: readonly Result[],
): void {
  console.log(`\n${server}: ${files} files, ${added} added; medians of ${rounds} rounds\n`);
  row(["", "first, ms", "× bare", "unchanged, ms", `${added} added, ms`, requests, "peak MB"]);
  row(["---", "--:", "--:", "--:", "--:", "--:", "--:"]);
  for (const { program, milliseconds: ms, ratio, requests, megabytes } of results) {
    const times = PHASES.map((phase) => ms[phase].toFixed(0));
    const [first = "", ...others] = times;
    const sent = PHASES.map((phase) => requests[phase]).join(" / ");
    row([program.name, first, ratio.toFixed(2), ...others, sent, megabytes.toFixed(0)]);
  }
}

/** Prints which of the goals hold, for ours in one executable, and says whether all do. */
export function printGoals(server: string, results: readonly Result[]): boolean {
  const [ours, ...peers] = results.filter(({ program }) =>
    !program.isBare && program.name !== "irori on Deno"
  );
  console.log();
  const { ratio } = ours!;
  let isMet = true;
  goal(`${server}: first run within 1.10 × the bare script`, ratio <= 1.1, ratio.toFixed(2));
  least("unchanged run faster than every peer", "unchanged", ({ milliseconds }) => milliseconds);
  for (const phase of PHASES) {
    least(`least requests, ${phase}`, phase, ({ requests }) => requests);
  }
  return isMet;

  function least(name: string, phase: Phase, of: (result: Result) => ByPhase): void {
    const best = Math.min(...peers.map((peer) => of(peer)[phase]));
    const value = of(ours!)[phase];
    const figures = `${value.toFixed(0)}, the best peer ${best.toFixed(0)}`;
    goal(`${server}: ${name}`, value <= best, figures);
  }

  function goal(name: string, holds: boolean, figures: string): void {
    if (!holds) isMet = false;
    console.log(`${holds ? "holds" : "DOES NOT HOLD"}: ${name} (${figures})`);
  }
}

function row(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}
