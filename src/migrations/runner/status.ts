import { compareCodePoints } from "./order.ts";
import type { Interruption, Migration, MigrationRecord } from "./types.ts";

/** Where one file stands. */
export interface FileStatus {
  /** Path below the connection's folder. */
  readonly file: string;
  /** `missing`: it was applied and is gone. `interrupted`: a run was cut off in it. */
  readonly state: "applied" | "pending" | "changed" | "missing" | "interrupted";
  /** When it was applied last. */
  readonly executedAt?: Date;
  /** By whom. */
  readonly executedBy?: string;
}

/** Where each file of a connection stands, files that are gone included, in order of their paths. Pure. */
export function statusOf(
  migrations: readonly Migration[],
  records: ReadonlyMap<string, MigrationRecord>,
  interrupted: readonly Interruption[],
): readonly FileStatus[] {
  const cutOff = new Set(interrupted.map(({ path }) => path));
  const known = new Set(migrations.map(({ file }) => file.path));
  const present = migrations.map(({ file }): FileStatus => {
    const record = records.get(file.path);
    const state = cutOff.has(file.path)
      ? "interrupted"
      : record === undefined
      ? "pending"
      : record.hash === file.hash
      ? "applied"
      : "changed";
    return { file: file.path, state, ...executionOf(record) };
  });
  const gone = [...records.values()].filter(({ path }) => !known.has(path))
    .map((record): FileStatus => ({ file: record.path, state: "missing", ...executionOf(record) }));
  return [...present, ...gone].sort((a, b) => compareCodePoints(a.file, b.file));
}

function executionOf(record?: MigrationRecord): Pick<FileStatus, "executedAt" | "executedBy"> {
  if (record === undefined) return {};
  const { executedAt, executedBy } = record;
  return { executedAt, ...(executedBy !== undefined && { executedBy }) };
}
