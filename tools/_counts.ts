import { stripVTControlCharacters } from "node:util";

/** How many tests there were. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Reads the summary of `deno test`. Where it has none, as for a module that is missing, one has failed; so it has where
 * the summary says `ok` and the command failed: an error between two tests ends it, and the tests that follow are lost.
 */
export function countsOf(output: string, isSuccess = true): Counts {
  const [last] = [...stripVTControlCharacters(output).matchAll(SUMMARY)].slice(-1);
  if (!last) return { passed: 0, failed: 1, skipped: 0 };
  const [passed = 0, failed = 0, ignored = 0, ignoredSteps = 0] = last.slice(1).map((count) =>
    Number(count ?? 0)
  );
  return {
    passed,
    failed: isSuccess ? failed : Math.max(failed, 1),
    skipped: ignored + ignoredSteps,
  };
}

const STEPS = String.raw`(?: \(\d+ steps?\))?`;
const SUMMARY = new RegExp(
  String.raw`^(?:ok|FAILED) \| (\d+) passed${STEPS} \| (\d+) failed${STEPS}` +
    String.raw`(?: \| (\d+) ignored(?: \((\d+) steps?\))?)?`,
  "gm",
);
