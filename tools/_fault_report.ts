import type { Verdict } from "./_fault_runs.ts";

/** What became of a fault. */
export interface Outcome {
  readonly fault: string;
  readonly place: string;
  /** How many files of tests `--changed` chooses. */
  readonly chosen: number;
  readonly changed: Verdict;
  /** The chosen tests with all that belongs to `deno task test:all`. */
  readonly full?: Verdict;
  /** All tests of `deno task test`. */
  readonly whole?: Verdict;
}

/** What became of a fault in a file that a commit touched. */
export interface Reached {
  readonly fault: string;
  readonly commit: string;
  readonly chosen: number;
  /** How many of the chosen tests failed. */
  readonly failed: number;
  readonly seconds: number;
}

/** All that was found. */
export interface Found {
  readonly seed: number;
  readonly outcomes: readonly Outcome[];
  readonly reached: readonly Reached[];
  /** Tests that failed and were not chosen. */
  missed?: string[];
  unchosen?: { readonly files: number };
}

/** Writes the page of the proof. */
export async function writeFound(found: Found): Promise<void> {
  const path = new URL("../docs/proofs/faults.md", import.meta.url).pathname;
  await Deno.writeTextFile(path, pageOf(found));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path] }).output();
}

function pageOf({ seed, outcomes, reached, missed = [], unchosen }: Found): string {
  const noticed = outcomes.filter(({ changed }) => changed.failed.length > 0).length;
  return `<!-- Written by 'deno task faults --seed ${seed}'. -->

# Faults that are planted

Faults that the compiler accepts were drawn by the seed ${seed}, half of them in the core: a condition turned round, a
comparison or a fallback exchanged, a number one higher, a call left out. Each ran against the tests that \`--changed\`
chooses, until one failed. What no test noticed ran against the same tests in full (\`test:all\`), and against the whole
\`deno task test\`.

${noticed} of ${outcomes.length} were noticed.

| fault | files chosen | noticed by | seconds | in full | whole run |
| ---- | ---- | ---- | ---- | ---- | ---- |
${
    outcomes.map(({ fault, chosen, changed, full, whole }) =>
      row(fault, chosen, test(changed), changed.seconds, test(full), test(whole))
    ).join("\n")
  }

## Faults in files that commits touched

Commits were drawn by the seed, and of each a fault in a file that it touched, unless it chooses all tests. All that
\`--changed\` chooses ran. Then each file of tests ran once, with the faults that do not choose it: ${
    unchosen?.files ?? 0
  } files, of which ${missed.length} tests failed.

| commit | fault | files chosen | tests that failed | minutes |
| ---- | ---- | ---- | ---- | ---- |
${
    reached.map(({ commit, fault, chosen, failed, seconds }) =>
      row(commit, fault, chosen, failed, (seconds / 60).toFixed(1))
    ).join("\n")
  }

${missed.map((one) => `- ${one}`).join("\n")}
`;
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function test(verdict: Verdict | undefined): string {
  return verdict === undefined ? "" : verdict.failed[0]?.replace(" => ", ": ") ?? "no test";
}
