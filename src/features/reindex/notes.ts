import { RefusedDocumentsError } from "./arrivals.ts";
import { allOf, type IndexDifference, unindexedNote } from "./difference.ts";
import { CopyRefusedError } from "./expect.ts";

export function reasonsOf(error: unknown, file: string): readonly string[] | undefined {
  if (error instanceof CopyRefusedError) return [error.message];
  if (!(error instanceof RefusedDocumentsError)) return undefined;
  const { documents } = error;
  return [
    `The new index refuses documents, ${documents.length} at least; nothing was changed:`,
    ...documents.slice(0, 5).map(({ id, reason }) => `  '${id}': ${reason}`),
    "Ways out:",
    "  - a pipeline that makes them fit: put it before this file, and set 'migrations.reindex_pipeline' to its name",
    `  - a file before '${file}' that corrects them: { "method": "POST", "path": "/…/_update_by_query", … }`,
  ];
}

export function unchangedNote(left: IndexDifference["left"]): string {
  return left.length === 0
    ? "nothing of it differs from what is there"
    : `what the file names is so already${leftNote(left)}`;
}

export function inPlaceNote(difference: IndexDifference): string {
  return `changed in place: ${shortened(allOf(difference).map(({ path }) => path))}` +
    unindexedNote(difference.unindexed);
}

export function leftNote(left: IndexDifference["left"]): string {
  return left.length === 0 ? "" : `; what the file does not name is left: ${shortened(left)}`;
}

function shortened(paths: readonly string[]): string {
  return paths.slice(0, 3).join(", ") + (paths.length > 3 ? ` and ${paths.length - 3} more` : "");
}
