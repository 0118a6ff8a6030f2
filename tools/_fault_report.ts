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
  compiles?: boolean;
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

/** The first test that failed, or nothing. */
export function firstFailed(...verdicts: readonly (Verdict | undefined)[]): string | undefined {
  return verdicts.flatMap((verdict) => verdict?.failed ?? [])[0];
}

/** Writes the page of the proof. */
export async function writeFound(found: Found): Promise<void> {
  const path = new URL("../docs/proofs/faults.md", import.meta.url).pathname;
  await Deno.writeTextFile(path, pageOf(found));
  await deno(["fmt", "--quiet", path]);
}

function pageOf({ seed, outcomes, reached, missed }: Found): string {
  const tried = Object.entries(outcomes).filter(([, { compiles }]) => compiles);
  const count = (by: (outcome: Outcome) => string | undefined) =>
    tried.filter(([, outcome]) => by(outcome) !== undefined).length;
  const noticed = count(({ near, nearest, changed }) => firstFailed(near, nearest, changed));
  const others = count(({ whole }) => firstFailed(whole));
  const groups = Object.values(missed);
  const files = groups.reduce((sum, group) => sum + group.files, 0);
  const failed = groups.flatMap((group) => group.failed);
  return `<!-- Written by 'deno task faults --seed ${seed}'. -->

# Faults that are planted

Faults that the compiler accepts were drawn by the seed ${seed}, half of them in the core, half in features: a condition
turned round, a comparison or a fallback exchanged, a number one higher, a call left out. Each ran against the tests
that \`deno task test --changed\` chooses, the nearest first. What the nearest did not notice ran against the whole of
\`deno task test\`.

Of ${tried.length}, ${noticed} were noticed by the chosen tests, ${others} by others alone.

| fault | files chosen | noticed by |
| ---- | ---- | ---- |
${
    tried.map(([fault, { chosen, near, nearest, changed, whole }]) => {
      const by = firstFailed(near, nearest, changed);
      const other = firstFailed(whole);
      const none = whole ? "no test" : "none of the nearest";
      return row(fault, chosen, shown(by ?? (other ? `not chosen: ${other}` : none)));
    }).join("\n")
  }

## Faults in files that commits touched

Commits were drawn by the seed, and of each a fault in a file that it touched, unless it chooses all tests or none of the
nearest notices it. Then each file of tests ran once, with all of these faults that do not choose it: of ${files} files
${failed.length} tests failed.

| commit | fault | files chosen | noticed by |
| ---- | ---- | ---- | ---- |
${
    Object.entries(reached).filter(([, { compiles }]) => compiles).map((
      [fault, { commit, chosen, verdict }],
    ) => row(commit, fault, chosen, shown(firstFailed(verdict) ?? "no test"))).join("\n")
  }

${failed.map((one) => `- ${one}`).join("\n")}
`;
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function shown(test: string): string {
  return test.replace(" => ", ": ");
}
