import { hexDigest, hexOf } from "../../../text/mod.ts";
import {
  byVersion,
  type ForeignMatch,
  type ForeignRow,
  versionIn,
  versionOf,
} from "../../runner/mod.ts";
import { crc32 } from "../../../runtime/mod.ts";
import {
  baseName,
  byNumberIn,
  execution,
  type TableRow,
  text,
  textForms,
  toBoolean,
  type Tool,
} from "./tool.ts";

/** The CLI of Supabase, which keeps the statements that it has applied. */
export const SUPABASE: Tool = {
  id: "supabase",
  name: "Supabase",
  tables: ["schema_migrations"],
  schema: "supabase_migrations",
  columns: ["version"],
  more: ["statements", "name"],
  match: (rows, paths) => {
    const { rows: found } = byNumber(rows.toSorted(byNumberIn("version")), paths, (row) => {
      const statements = statementsOf(row.statements);
      return {
        name: text(row.version) ?? "",
        executedBy: "Supabase",
        ...(statements && {
          checksum: {
            recorded: squeezed(statements),
            of: (bytes) => Promise.resolve(textForms(bytes).map((form) => squeezed([form]))),
          },
        }),
      };
    });
    return { rows: found };
  },
};

/** sqlx, whose checksums are SHA-384 of the whole file. */
export const SQLX: Tool = {
  id: "sqlx",
  name: "sqlx",
  tables: ["_sqlx_migrations"],
  columns: ["version", "checksum"],
  more: ["description", "installed_on", "success", "execution_time"],
  match: (rows, paths) =>
    byNumber(rows.toSorted(byNumberIn("version")), paths, (row) => ({
      name: `${text(row.version)} ${text(row.description)}`,
      version: text(row.version) ?? "",
      checksum: { recorded: hashText(row.checksum), of: (bytes) => hashes(bytes) },
      ...execution("sqlx", row.installed_on),
      ...(!toBoolean(row.success) &&
        { failed: "sqlx calls it failed: resolve it with sqlx first" }),
    })),
};

/** goose: the newest row of a version decides. */
export const GOOSE: Tool = {
  id: "goose",
  name: "goose",
  tables: ["goose_db_version"],
  columns: ["version_id", "is_applied"],
  more: ["id", "tstamp"],
  isEmpty: (rows) => rows.every(({ version_id }) => Number(version_id) === 0),
  match(rows, paths) {
    const newest = new Map(
      rows.toSorted(byNumberIn("id")).map((row) => [text(row.version_id), row]),
    );
    const applied = [...newest.values()].filter(({ version_id, is_applied }) =>
      Number(version_id) !== 0 && toBoolean(is_applied)
    );
    return byNumber(applied, paths, (row) => ({
      name: text(row.version_id) ?? "",
      ...execution("goose", row.tstamp),
    }));
  },
};

type ReadRow = Omit<ForeignRow, "path"> & { readonly version?: string };

function byNumber(
  rows: readonly TableRow[],
  paths: readonly string[],
  read: (row: TableRow) => ReadRow,
): ForeignMatch {
  const files = Map.groupBy(paths, (path) => upVersion(path)?.join("."));
  const found = rows.map((row) => {
    const { version, ...known } = read(row);
    const [path] = files.get(versionOf(version ?? known.name)?.join(".") ?? "") ?? [];
    return path === undefined ? known : { ...known, path };
  });
  return { rows: found, order: byVersion(paths, upVersion) };
}

function upVersion(path: string) {
  return versionIn(baseName(path), /^(\d+)_.*(?<!\.down)\.sql$/);
}

/** Drivers give an array as such, or as PostgreSQL writes it. */
function statementsOf(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String);
  return [...String(value).slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)]
    .map(([bare, quoted]) => quoted?.replace(/\\(.)/gs, "$1") ?? bare);
}

/** Supabase cuts a file at semicolons and removes white space there. */
function squeezed(statements: readonly string[]): string {
  const bytes = new TextEncoder().encode(statements.join("").replace(/[\s;\ufeff]+/g, ""));
  return crc32(bytes).toString(16).padStart(8, "0");
}

async function hashes(bytes: Uint8Array): Promise<readonly string[]> {
  return await Promise.all(textForms(bytes).map((form) => hexDigest(form, "SHA-384")));
}

function hashText(value: unknown): string {
  return value instanceof Uint8Array ? hexOf(value) : String(value).replace(/^\\x/, "");
}
