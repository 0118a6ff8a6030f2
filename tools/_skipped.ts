import { folderOf } from "./_budgets.ts";
import { casesOf } from "./_report.ts";
import { GROUP_NAMES, isOf } from "./_tally.ts";

/** Skipped tests by their reasons, with the folders that they are in. */
export function describeSkipped(report: string): readonly string[] {
  const skipped = casesOf(report).filter(({ isSkipped }) => isSkipped);
  const reasonOf = (title: string) =>
    /\[skipped: (.*)\]$/.exec(title)?.[1] ?? needOf(title) ?? "by the test itself";
  const reasons = Map.groupBy(skipped, ({ title }) => reasonOf(title));
  return [...reasons].map(([reason, tests]) => {
    const folders = Map.groupBy(tests, ({ path }) => folderOf(path));
    const counts = Array.from(folders, ([folder, own]) => `${folder} ${own.length}`).sort();
    return `skipped: ${tests.length} test${tests.length === 1 ? "" : "s"}, ${reason}: ${
      counts.join(", ")
    }`;
  });
}

function needOf(title: string): string | undefined {
  const need = GROUP_NAMES.find((name) => isOf(name, title));
  return need && `by the test itself, which names ${need}`;
}
