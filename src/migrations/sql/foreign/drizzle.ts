import type { ForeignFile, ForeignRow } from "../../runner/mod.ts";
import { execution, pathEnding, type TableRow, text, textHashes, type Tool } from "./tool.ts";

/** Drizzle: files of `meta/_journal.json`, or from version 1 on a folder for each, `<time>_<name>/migration.sql`. */
export const DRIZZLE: Tool = {
  id: "drizzle",
  name: "Drizzle",
  tables: ["__drizzle_migrations"],
  columns: ["hash", "created_at"],
  more: ["id", "name", "applied_at"],
  isHistory: (rows) =>
    rows.every(({ hash, created_at: time }) => {
      return /^[\da-f]{64}$/.test(`${hash}`) && /^\d{12,14}$/.test(`${time}`);
    }),
  match(rows, paths, files = []) {
    const own = files.filter(({ path, listed }) => listed || folderTime(path) !== undefined);
    const ordered = rows.toSorted((a, b) => Number(a.id) - Number(b.id));
    const found = filesOf(ordered, paths, own);
    const matched = new Set(found.values());
    const newest = Math.max(...rows.map(timeOf));
    const omitted = own.filter((file) => {
      return file.listed && !matched.has(file) && Number(file.listed.time) <= newest;
    });
    return {
      rows: ordered.flatMap((row) => rowOf(row, found)),
      omitted: omitted.map(({ path }) => path),
      // Version 1 compares by locale.
      order: own.filter(({ listed }) => !listed).map(({ path }) => path)
        .sort((a, b) => a.localeCompare(b)),
    };
  },
};

type Matches = ReadonlyMap<TableRow, ForeignFile>;

/** By name and time, and what is left by its hash: people edit times, and version 1 has only seconds. */
function filesOf(
  rows: readonly TableRow[],
  paths: readonly string[],
  files: readonly ForeignFile[],
): Matches {
  const found = new Map<TableRow, ForeignFile>();
  for (const row of rows) {
    const name = text(row.name);
    const path = name === undefined ? undefined : pathEnding(`${name}/migration.sql`, paths);
    const candidates = path === undefined
      ? files.filter((file) => isOfTime(file, timeOf(row)))
      : files.filter((file) => file.path === path);
    const file = candidates.find(({ hash }) => hash === row.hash) ?? candidates[0];
    if (file) found.set(row, file);
  }
  const matched = new Set(found.values());
  for (const row of rows) {
    if (found.has(row)) continue;
    const file = files.find((file) => file.hash === row.hash && !matched.has(file));
    if (!file) continue;
    found.set(row, file);
    matched.add(file);
  }
  return found;
}

/** Where a file has several rows, as of two deployments at once, one of its hash counts. */
function rowOf(row: TableRow, found: Matches): ForeignRow[] {
  const recorded = text(row.hash) ?? "";
  const file = found.get(row);
  const isOther = file !== undefined && recorded !== file.hash &&
    [...found].some(([other, { path }]) => path === file.path && other.hash === file.hash);
  if (isOther) return [];
  const at = row.applied_at ?? undefined;
  return [{
    name: file?.path ?? text(row.name) ?? `${text(row.created_at)} ${recorded.slice(0, 12)}`,
    ...(file && { path: file.path }),
    checksum: { recorded, of: textHashes },
    ...(at === undefined ? { executedBy: "Drizzle" } : execution("Drizzle", at)),
  }];
}

function timeOf({ created_at: time }: TableRow): number {
  return Number(time);
}

function isOfTime({ path, listed }: ForeignFile, time: number): boolean {
  if (listed) return Number(listed.time) === time;
  return folderTime(path) === Math.floor(time / 1000) * 1000;
}

function folderTime(path: string): number | undefined {
  const [, ...parts] =
    /(?:^|\/)(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_[^/]*\/migration\.sql$/.exec(path) ?? [];
  const [year, month = 1, day, hour, minute, second] = parts.map(Number);
  return year === undefined ? undefined : Date.UTC(year, month - 1, day, hour, minute, second);
}
