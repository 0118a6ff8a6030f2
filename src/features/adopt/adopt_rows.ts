import {
  classifyAll,
  type Executor,
  type ForeignRow,
  isSameButLineEnds,
  type JournalEntry,
  type MigrationFile,
} from "../../migrations/runner/mod.ts";

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

/** Paths: omitted files that are left pending, omitted ones that are recorded, and edited ones that are recorded as they are. */
export interface Answers {
  readonly apply?: readonly string[];
  readonly skip?: readonly string[];
  readonly changed?: readonly string[];
}

/** Gives a row without a file the only one left whose name differs in leading zeros alone, as it was advised to have. */
export function withRenamed(
  rows: readonly ForeignRow[],
  paths: readonly string[],
): readonly ForeignRow[] {
  const keyOf = (name: string) => name.replace(/\.\w+$|(?<=^|\/)0+(?=\d)/g, "");
  const taken = new Set(rows.map(({ path }) => path));
  const near = Map.groupBy(new Set(paths).difference(taken), keyOf);
  return rows.map((row) => {
    const [path, ...others] = row.path === undefined ? near.get(keyOf(row.name)) ?? [] : [];
    return path === undefined || others.length > 0 ? row : { ...row, path };
  });
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
  files: readonly MigrationFile[],
  originals: readonly MigrationFile[],
  executor: Executor,
  rows: readonly ForeignRow[],
  entries: ReadonlyMap<string, JournalEntry>,
): Promise<{ readonly rows: readonly AdoptedRow[]; readonly unchecked: readonly string[] }> {
  const byPath = new Map<string | undefined, MigrationFile>(
    files.map((file) => [file.path, file]),
  );
  const unchecked: string[] = [];
  const judged: AdoptedRow[] = [];
  const stateOf = async (
    { failed, checksum, repeatable }: ForeignRow,
    file: MigrationFile | undefined,
  ): Promise<Omit<AdoptedRow, "name" | "file"> | undefined> => {
    if (failed !== undefined) return { state: "failed", reason: [failed] };
    if (file === undefined) return { state: "missing" };
    const applied = entries.get(file.path)?.applied;
    if (applied !== undefined) {
      const { hash } = applied;
      const isKnown = hash === file.hash ||
        executor.ignoresLineEnds && await isSameButLineEnds(await file.read(), hash) ||
        (await classifyAll(executor, [file])).migrations[0]?.onChange === "reapply";
      if (isKnown) return { state: "known" };
      return { state: "conflict", reason: [`recorded  ${hash}`, `now       ${file.hash}`] };
    }
    const original = checksum?.original === undefined
      ? file
      : originals.find((candidate) => candidate.path === checksum.original);
    if (checksum === undefined || original === undefined) {
      unchecked.push(file.path);
      return { state: "adopted" };
    }
    const forms = await checksum.of(await original.read());
    if (forms.includes(checksum.recorded)) return { state: "adopted", isVerified: true };
    if (repeatable) return undefined; // The tool would apply it next, and so do we.
    const reason = [`applied  ${checksum.recorded}`, `now      ${forms[0]}`];
    return { state: "differs", reason };
  };
  for (const row of rows) {
    const file = byPath.get(row.path);
    const found = await stateOf(row, file);
    if (found) judged.push({ name: row.name, ...(file && { file: file.path }), ...found });
  }
  return { rows: judged, unchecked };
}
