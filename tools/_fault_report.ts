import type { Verdict } from "./_fault_runs.ts";
import { deno } from "./_run.ts";

/** The result for a fault. */
export interface Outcome {
  /** How many files of tests `--changed` chooses. */
  readonly chosen: number;
  compiles?: boolean;
  /** The chosen tests of its own folder, without servers. */
  near?: Verdict;
  /** The chosen tests that are the fewest imports away. */
  nearest?: Verdict;
  /** All chosen tests. */
  changed?: Verdict;
  /** Tests of `deno task test` that are not chosen. */
  whole?: Verdict;
}

/** The result for a fault in a file that a commit touched. */
export interface Reached {
  readonly commit: string;
  readonly chosen: number;
  /** The chosen tests that are the fewest imports away. */
  verdict?: Verdict;
}

/** All that was found, by faults. */
export interface Found {
  readonly seed: number;
  readonly outcomes: Record<string, Outcome>;
  readonly reached: Record<string, Reached>;
  /** Tests that failed with faults that do not choose them. */
  readonly missed: Record<string, { readonly files: number; readonly failed: readonly string[] }>;
}

/** Writes the page of the proof. */
export async function writeFound(found: Found): Promise<void> {
  const path = new URL("../docs/proofs/faults.md", import.meta.url).pathname;
  await Deno.writeTextFile(path, pageOf(found));
  await deno(["fmt", "--quiet", path]);
}

function pageOf({ seed, outcomes, reached, missed }: Found): string {
  const tried = Object.entries(outcomes).filter(([, { compiles }]) => compiles);
  const isBy = (...verdicts: (Verdict | undefined)[]) =>
    verdicts.some((verdict) => verdict !== undefined && verdict.failed.length > 0);
  const noticed = tried.filter(([, { near, nearest, changed }]) => isBy(near, nearest, changed));
  const others = tried.filter(([, { whole }]) => isBy(whole));
  const groups = Object.values(missed);
  const files = groups.reduce((sum, group) => sum + group.files, 0);
  const failed = groups.flatMap((group) => group.failed);
  return `<!-- Written by 'deno task faults --seed ${seed}'. -->

# Faults that are planted

Faults that the compiler accepts were drawn by the seed ${seed}, half of them in the core, half in features: a condition
turned round, a comparison or a fallback exchanged, a number one higher, a call left out. Each ran against the tests
that \`deno task test --changed\` chooses, the nearest first. What the nearest did not notice ran against the whole of
\`deno task test\`.

Of ${tried.length}, ${noticed.length} were noticed by the chosen tests, ${others.length} by others alone.

| fault | files chosen | noticed by |
| ---- | ---- | ---- |
${
    tried.map(([fault, { chosen, near, nearest, changed, whole }]) => {
      const by = [near, nearest, changed].find((verdict) => isBy(verdict));
      const none = whole ? "no test" : "none of the nearest";
      const other = isBy(whole) ? `not chosen: ${test(whole!)}` : none;
      return row(fault, chosen, by ? test(by) : other);
    }).join("\n")
  }

## Faults in files that commits touched

Commits were drawn by the seed, and of each a fault in a file that it touched, unless it chooses all tests or none of the
nearest notices it. Then each file of tests ran once, with all of these faults that do not choose it: of ${files} files
${failed.length} tests failed.

| commit | fault | files chosen | noticed by |
| ---- | ---- | ---- | ---- |
${
    Object.entries(reached).map(([fault, { commit, chosen, verdict }]) =>
      row(commit, fault, chosen, verdict ? test(verdict) : "")
    ).join("\n")
  }

${failed.map((one) => `- ${one}`).join("\n")}
`;
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function test({ failed: [first = "no test"] }: Verdict): string {
  return first.replace(" => ", ": ");
}
