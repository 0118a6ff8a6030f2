import type { AdoptedRow } from "./adopt_rows.ts";
import { type ForeignHistory, HistoryError, type PlanNotice } from "../../migrations/runner/mod.ts";

export function refusal(
  connection: string,
  { tool, place }: ForeignHistory,
  rows: readonly AdoptedRow[],
): HistoryError | undefined {
  const count = (state: AdoptedRow["state"]) => rows.filter((row) => row.state === state).length;
  const [failed, differs, conflict] = [count("failed"), count("differs"), count("conflict")];
  const omitted = count("omitted");
  const many = (number: number) => number === 1 ? "1 file" : `${number} files`;
  const [edit, them] = differs === 1
    ? ["has", "it: undo the edit"]
    : ["have", "them: undo the edits"];
  const reasons = [
    failed > 0 &&
    `${tool} has recorded that ${failed === 1 ? "a migration" : `${failed} migrations`} ` +
      `failed or did not finish: resolve that with ${tool} first`,
    differs > 0 &&
    `${many(differs)} ${edit} changed since ${tool} applied ${them}, or record the file as it is ` +
      "now by '--changed <file>'",
    conflict > 0 &&
    `${many(conflict)} ${conflict === 1 ? "is" : "are"} already recorded with other content: ` +
      "undo the edit, or record the file as it is now by 'baseline --changed <file>'",
    omitted > 0 &&
    `${many(omitted)} ${omitted === 1 ? "was" : "were"} never applied by ${tool}, ` +
      "which has applied later ones: run with '--apply <file>' to leave it to the next " +
      "'migrate', or with '--skip <file>' to record it without applying it",
    rows.length > 0 && count("missing") === rows.length &&
    `no file here belongs to a row of ${place}: copy the files here under their original names, ` +
      "and those beside them, such as 'meta/_journal.json'",
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) return undefined;
  const message = `Cannot adopt the history of ${tool}, nothing was recorded: `;
  return new HistoryError(connection, message + reasons.join("; "));
}

export function notOmitted(
  connection: string,
  tool: string,
  pending: readonly string[],
  skip: readonly string[] = [],
): HistoryError | undefined {
  const path = pending.find((path) => skip.includes(path));
  if (path === undefined) return undefined;
  const message = `Cannot skip '${path}', which ${tool} would apply next: apply it with 'migrate'`;
  return new HistoryError(connection, message);
}

export function uncheckedFiles(
  { tool }: ForeignHistory,
  unchecked: readonly string[],
): readonly PlanNotice[] {
  if (unchecked.length === 0) return [];
  const [files, its] = unchecked.length === 1
    ? ["1 file", "its"]
    : [`${unchecked.length} files`, "their"];
  const message = `${tool} stored no checksum for ${files}: ${its} present content is accepted`;
  return [{ message }];
}

export function misordered(
  tool: string,
  paths: readonly string[],
  pending: readonly string[],
  { order = [], dryRun }: { readonly order?: readonly string[]; readonly dryRun: boolean },
): readonly PlanNotice[] {
  const advice = "paths are compared by character, so write numbers with leading zeros, " +
    (dryRun ? "before they are recorded" : "and run 'adopt' again");
  const places = new Map(order.map((path, place) => [path, place]));
  const ordered = paths.filter((path) => places.has(path));
  const isPending = new Set(pending);
  const pairs = ordered.slice(1).map((next, index) => [ordered[index]!, next] as const)
    .filter(([file, next]) => places.get(file)! > places.get(next)!);
  const [first, ...more] = pairs.filter(([file, next]) => {
    return !isPending.has(file) || !isPending.has(next);
  });
  return [
    ...first === undefined ? [] : [{
      file: first[0],
      message: `On a new database it runs before '${first[1]}', which ${tool} applies first` +
        `${more.length === 0 ? "" : `, and ${more.length} more such`}: ${advice}`,
    }],
    ...pairs.filter(([file, next]) => isPending.has(file) && isPending.has(next))
      .map(([file, next]) => ({
        file,
        message: `It runs before '${next}', which ${tool} would apply first: ${advice}`,
      })),
  ];
}
