import { folderOf } from "./_budgets.ts";
import { casesOf } from "./_report.ts";

/** Skipped tests by their reasons, with the folders that they are in. */
export function describeSkipped(report: string): readonly string[] {
  const skipped = casesOf(report).filter(({ isSkipped }) => isSkipped);
  const reasonOf = (title: string) => /\[skipped: (.*)\]$/.exec(title)?.[1] ?? "by the test itself";
  const reasons = Map.groupBy(skipped, ({ title }) => reasonOf(title));
  return [...reasons].map(([reason, tests]) => {
    const folders = Map.groupBy(tests, ({ path }) => folderOf(path));
    const counts = Array.from(folders, ([folder, own]) => `${folder} ${own.length}`).sort();
    return `skipped: ${tests.length} test${tests.length === 1 ? "" : "s"}, ${reason}: ${
      counts.join(", ")
    }`;
  });
}
