import { describeProblem } from "../migrations/runner/problems.ts";
import { printable } from "../text/mod.ts";
import type { Difference, FileProblem } from "../migrations/runner/mod.ts";
import { type Colors, count, type Screen, tell } from "./screen.ts";

export function tellProblem(screen: Screen, problem: FileProblem, connection?: string): void {
  tell(screen, problem.severity, describeProblem(problem, connection));
}

/** Says that files of others stay as they are, and how to replace them. */
export function refuseFiles(screen: Screen, differing: number): void {
  const what = `${count(differing, "file")} with other content would be replaced`;
  const next = "add '--yes' to replace, '--dry-run' to see";
  tell(screen, "error", `Nothing was written: ${what}; ${next}`);
}

export function describeDifferences(
  differences: readonly Difference[],
  colors: Colors,
): readonly string[] {
  return differences.flatMap(({ path, live, wanted }) => [
    colors.cyan(`@ ${path === "" ? "(the whole)" : printable(path)}`),
    ...(live === undefined ? [] : [colors.red(`- ${JSON.stringify(live)}`)]),
    ...(wanted === undefined ? [] : [colors.green(`+ ${JSON.stringify(wanted)}`)]),
  ]);
}
