import type { ForeignRow } from "../../migrations/runner/foreign.ts";
import { classifyAll, isSameButLineEnds } from "../../migrations/runner/prepare.ts";
import type { Executor, JournalEntry, MigrationFile } from "../../migrations/runner/types.ts";

export interface AdoptedRow {
  readonly name: string;
  readonly file?: string;
  /**
   * `adopted`: it is recorded, or would be. `known`: it was recorded before. `missing`: there is no such file. `differs`:
   * the file is not what the tool has applied. `conflict`: another content of it is recorded. `failed`: the tool itself
   * says so. `omitted`: the tool has never applied it, and never would.
   */
  readonly state: "adopted" | "known" | "missing" | "differs" | "conflict" | "failed" | "omitted";
  readonly reason?: readonly string[];
  /** Whether the tool's checksum proves that it has applied the file as it is now. @default false */
  readonly isVerified?: true;
}

export interface Adopting {
  readonly files: readonly MigrationFile[];
  readonly originals: readonly MigrationFile[];
  readonly executor: Executor;
}

/** Paths: omitted files that are left pending, omitted ones that are recorded, and edited ones that are recorded as they are. */
export interface Answers {
  readonly apply?: readonly string[];
  readonly skip?: readonly string[];
  readonly changed?: readonly string[];
}

/** Once a history is adopted, omitted files are as any others. */
export function decide(
  rows: readonly AdoptedRow[],
  { apply = [], skip = [], changed = [], omitted = [] }: Answers & {
    readonly omitted?: readonly string[] | undefined;
  },
): readonly AdoptedRow[] {
  const isDone = rows.some(({ state }) => state === "known") &&
    rows.every(({ state }) => state === "known" || state === "missing");
  return [
    ...rows.map((row): AdoptedRow => {
      const { name, file, state } = row;
      const isAccepted = state === "differs" && file !== undefined && changed.includes(file);
      return isAccepted ? { name, file, state: "adopted" } : row;
    }),
    ...omitted.filter((path) => !apply.includes(path)).flatMap((path): AdoptedRow[] => {
      const row = { name: path, file: path };
      if (skip.includes(path)) return [{ ...row, state: "adopted" }];
      return isDone ? [] : [{ ...row, state: "omitted" }];
    }),
  ];
}

/** Which rows can be recorded, and why the others cannot; `unchecked` are files whose content cannot be compared. */
export async function judge(
  { files, originals, executor }: Adopting,
  rows: readonly ForeignRow[],
  entries: ReadonlyMap<string, JournalEntry>,
): Promise<{ readonly rows: readonly AdoptedRow[]; readonly unchecked: readonly string[] }> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const unchecked: string[] = [];
  const judged: AdoptedRow[] = [];
  for (const { name, path, failed, checksum, repeatable } of rows) {
    const file = path === undefined ? undefined : byPath.get(path);
    const row = { name, ...(file && { file: file.path }) };
    if (failed !== undefined) {
      judged.push({ ...row, state: "failed", reason: [failed] });
      continue;
    }
    if (file === undefined) {
      judged.push({ ...row, state: "missing" });
      continue;
    }
    const applied = entries.get(file.path)?.applied;
    if (applied !== undefined) {
      judged.push({ ...row, ...await compare(file, applied.hash, executor) });
      continue;
    }
    const original = checksum?.original === undefined
      ? file
      : originals.find((candidate) => candidate.path === checksum.original);
    if (checksum === undefined || original === undefined) {
      unchecked.push(file.path);
      judged.push({ ...row, state: "adopted" });
      continue;
    }
    const forms = await checksum.of(await original.read());
    if (forms.includes(checksum.recorded)) {
      judged.push({ ...row, state: "adopted", isVerified: true });
      continue;
    }
    if (repeatable) continue; // The tool would apply it next, and so do we.
    const reason = [`applied  ${checksum.recorded}`, `now      ${forms[0]}`];
    judged.push({ ...row, state: "differs", reason });
  }
  return { rows: judged, unchecked };
}

async function compare(
  file: MigrationFile,
  recorded: string,
  executor: Adopting["executor"],
): Promise<Pick<AdoptedRow, "state" | "reason">> {
  if (recorded === file.hash) return { state: "known" };
  const isSame = executor.ignoresLineEnds && await isSameButLineEnds(await file.read(), recorded);
  if (isSame) return { state: "known" };
  const { migrations: [migration] } = await classifyAll(executor, [file]);
  if (migration?.onChange === "reapply") return { state: "known" };
  return { state: "conflict", reason: [`recorded  ${recorded}`, `now       ${file.hash}`] };
}
