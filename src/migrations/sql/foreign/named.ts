import {
  byVersion,
  compareVersions,
  type ForeignMatch,
  type Version,
  versionOf,
} from "../../runner/mod.ts";
import {
  baseName,
  execution,
  type ForeignTable,
  stem,
  type TableRow,
  text,
  toBoolean,
  type Tool,
} from "./tool.ts";

export const DBMATE: Tool = {
  id: "dbmate",
  name: "dbmate",
  tables: ["schema_migrations"],
  isOwn: ({ columns, schema }, names) =>
    columns.join() === "version" && !names.has("ar_internal_metadata") &&
    schema !== "supabase_migrations",
  match: (rows, paths) =>
    byName(rows, paths, ({ version }) => ({
      name: text(version) ?? "",
    }), (path) => /^\d+/.exec(baseName(path))?.[0]),
};

export const NODE_PG_MIGRATE: Tool = {
  id: "node-pg-migrate",
  name: "node-pg-migrate",
  tables: ["pgmigrations"],
  isOwn: ({ columns }) => ["name", "run_on"].every((name) => columns.includes(name)),
  match: (rows, paths) =>
    byName(byId(rows), paths, ({ name, run_on }) => ({
      name: text(name) ?? "",
      ...execution({ at: run_on }, "node-pg-migrate"),
    }), stem),
};

/** knex: a row is the name of a file, which is a program; the file of ours has its name and the extension `.sql`. */
export const KNEX: Tool = {
  id: "knex",
  name: "knex",
  tables: ["knex_migrations"],
  isOwn: ({ columns }) => ["name", "batch"].every((name) => columns.includes(name)),
  match: (rows, paths) =>
    byName(
      byId(rows),
      paths,
      ({ name, migration_time }) => ({
        name: text(name) ?? "",
        ...execution({ at: migration_time }, "knex"),
      }),
      stem,
      stem,
    ),
};

export const KYSELY: Tool = {
  id: "kysely",
  name: "Kysely",
  tables: ["kysely_migration"],
  isOwn: ({ columns }) => ["name", "timestamp"].every((name) => columns.includes(name)),
  match: (rows, paths) => ({
    ...byName(rows, paths, ({ name, timestamp }) => ({
      name: text(name) ?? "",
      ...execution({ at: timestamp }, "Kysely"),
    }), stem),
    order: paths.toSorted((a, b) => stem(a).localeCompare(stem(b))),
  }),
};

export const MIKRO_ORM: Tool = {
  id: "mikro-orm",
  name: "MikroORM",
  tables: ["mikro_orm_migrations"],
  isOwn: ({ columns }) => ["name", "executed_at"].every((name) => columns.includes(name)),
  match: (rows, paths) =>
    byName(
      byId(rows),
      paths,
      ({ name, executed_at }) => ({
        name: text(name) ?? "",
        ...execution({ at: executed_at }, "MikroORM"),
      }),
      stem,
      (name) => name.replace(/\.(?:[cm]?[jt]s|sql)$/, ""),
    ),
};

/** golang-migrate: one row, up to which all is applied. */
export const GOLANG_MIGRATE: Tool = {
  id: "golang-migrate",
  name: "golang-migrate",
  tables: ["schema_migrations"],
  isOwn: ({ columns }) => ["version", "dirty"].every((name) => columns.includes(name)),
  // `migrate force -1` leaves no version.
  isEmpty: (rows) => rows.every(({ version }) => Number(version) < 0),
  match([row], paths) {
    const recorded = row && versionOf(text(row.version) ?? "");
    if (row === undefined || recorded === undefined) return { rows: [] };
    const name = text(row.version) ?? "";
    const ups = paths.flatMap((path) => {
      const version = numberOf(path);
      const order = version && compareVersions(version, recorded);
      return version && order !== undefined && order <= 0 ? [{ path, version, order }] : [];
    }).sort((a, b) => compareVersions(a.version, b.version));
    const folder = folderOf(ups.at(-1)?.path ?? "");
    const applied = ups.filter(({ path }) => folderOf(path) === folder);
    const failed = toBoolean(row.dirty) &&
      "golang-migrate calls it dirty, so it failed half-way: 'migrate force' settles that";
    const before = applied.filter(({ order }) => order < 0).map(({ path }) => ({
      name: path,
      path,
      isImplied: true,
    }));
    const last = applied.find(({ order }) => order === 0)?.path;
    return {
      rows: [...before, {
        name: last ?? name,
        ...(last !== undefined && { path: last }),
        ...(failed && { failed }),
      }],
      order: byVersion(paths, numberOf),
    };
  },
};

function numberOf(path: string): Version | undefined {
  const [, digits] = /^(\d+)_.*\.up\./.exec(baseName(path)) ?? [];
  return digits === undefined ? undefined : versionOf(digits);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function byId(rows: readonly TableRow[]): readonly TableRow[] {
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
}

function byName(
  rows: readonly TableRow[],
  paths: readonly string[],
  read: (row: TableRow) => ForeignMatch["rows"][number],
  keyOf: (path: string) => string | undefined,
  keyOfName: (name: string) => string = (name) => name,
): ForeignMatch {
  const files = new Map<string | undefined, string>();
  for (const path of paths) if (!files.has(keyOf(path))) files.set(keyOf(path), path);
  return {
    rows: rows.map((row) => {
      const found = read(row);
      const path = files.get(keyOfName(found.name));
      return path === undefined ? found : { ...found, path };
    }),
  };
}

/** Tools whose rows are not files: changesets, revisions, positions of programs. `baseline --until` is the way from them. */
export const RECOGNISED: readonly Tool[] = [
  tool("liquibase", "Liquibase", "databasechangelog", has("md5sum")),
  tool("alembic", "Alembic", "alembic_version", has("version_num")),
  tool("rails", "Rails", "schema_migrations", ({ columns }, names) => {
    return columns.join() === "version" && names.has("ar_internal_metadata");
  }),
  tool("umzug", "Umzug", "sequelizemeta", has("name")),
  tool("typeorm", "TypeORM", "typeorm_migrations", has("timestamp")),
  tool("typeorm", "TypeORM", "migrations", ({ columns }) => columns.join() === "id,timestamp,name"),
];

function tool(id: string, name: string, table: string, isOwn: Tool["isOwn"]): Tool {
  return { id, name, tables: [table], isOwn };
}

function has(column: string): (table: ForeignTable) => boolean {
  return ({ columns }) => columns.includes(column);
}
