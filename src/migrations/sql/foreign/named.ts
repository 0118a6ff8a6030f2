import { byVersion, compareVersions, type Version, versionOf } from "../../runner/mod.ts";
import { baseName, execution, stem, text, toBoolean, type Tool } from "./tool.ts";

export const DBMATE = named({
  tool: ["dbmate", "dbmate", "schema_migrations", ["version"]],
  column: "version",
  fits: (names) => !names.has(RAILS),
  keyOf: (path) => /^\d+/.exec(baseName(path))?.[0],
});

export const NODE_PG_MIGRATE = named({
  tool: ["node-pg-migrate", "node-pg-migrate", "pgmigrations", ["name", "run_on"], ["id"]],
  time: "run_on",
  keyOf: stem,
});

/** knex: a row is the name of a file, which is a program; the file of ours has its name and the extension `.sql`. */
export const KNEX = named({
  tool: ["knex", "knex", "knex_migrations", ["name", "batch"], ["id", "migration_time"]],
  time: "migration_time",
  keyOf: stem,
  keyOfName: stem,
});

export const SQL_MIGRATE = named({
  tool: ["sql-migrate", "sql-migrate", "gorp_migrations", ["id", "applied_at"], []],
  column: "id",
  time: "applied_at",
  keyOf: baseName,
});

export const KYSELY = named({
  tool: ["kysely", "Kysely", "kysely_migration", ["name", "timestamp"], []],
  time: "timestamp",
  keyOf: stem,
  order: (paths) => paths.toSorted((a, b) => stem(a).localeCompare(stem(b))),
});

export const MIKRO_ORM = named({
  tool: ["mikro-orm", "MikroORM", "mikro_orm_migrations", ["name", "executed_at"], ["id"]],
  time: "executed_at",
  keyOf: stem,
  keyOfName: (name) => name.replace(/\.(?:[cm]?[jt]s|sql)$/, ""),
});

/** golang-migrate: one row, up to which all is applied. */
export const GOLANG_MIGRATE: Tool = {
  id: "golang-migrate",
  name: "golang-migrate",
  tables: ["schema_migrations"],
  columns: ["version", "dirty"],
  more: [],
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

/** Tools whose rows are names of files, or what files are called by. */
function named({ tool, column = "name", time, keyOf, keyOfName = (name) => name, fits, order }: {
  readonly tool: Recognised;
  readonly column?: string;
  readonly time?: string;
  readonly keyOf: (path: string) => string | undefined;
  readonly keyOfName?: (name: string) => string;
  readonly fits?: NonNullable<Tool["fits"]>;
  readonly order?: (paths: readonly string[]) => readonly string[];
}): Tool {
  const own = recognised(tool);
  return {
    ...own,
    ...(fits && { fits }),
    match(rows, paths) {
      const files = new Map<string | undefined, string>();
      for (const path of paths) if (!files.has(keyOf(path))) files.set(keyOf(path), path);
      const found = rows.toSorted((a, b) => Number(a.id) - Number(b.id)).map((row) => {
        const name = text(row[column]) ?? "";
        const path = files.get(keyOfName(name));
        return {
          name,
          ...(path !== undefined && { path }),
          ...(time !== undefined && execution({ at: row[time] }, own.name)),
        };
      });
      return { rows: found, ...(order && { order: order(paths) }) };
    },
  };
}

type Recognised = readonly [
  id: string,
  name: string,
  table: string,
  columns: Tool["columns"],
  more?: NonNullable<Tool["more"]>,
  schema?: string,
];

function recognised([id, name, table, columns, more, schema]: Recognised): Tool {
  return { id, name, tables: [table], columns, ...(more && { more }), ...(schema && { schema }) };
}

const RAILS = "ar_internal_metadata";

/** Tools whose rows are not files: changesets, revisions, positions of programs. `baseline --until` is the way from them. */
export const RECOGNISED: readonly Tool[] = [
  {
    ...recognised(["rails", "Rails", "schema_migrations", ["version"]]),
    fits: (names) => names.has(RAILS),
  },
  ...([
    ["liquibase", "Liquibase", "databasechangelog", ["md5sum"], []],
    ["alembic", "Alembic", "alembic_version", ["version_num"], []],
    ["umzug", "Umzug", "sequelizemeta", ["name"], []],
    ["typeorm", "TypeORM", "typeorm_migrations", ["timestamp"], []],
    ["typeorm", "TypeORM", "migrations", ["id", "timestamp", "name"]],
    ["laravel", "Laravel", "migrations", ["id", "migration", "batch"]],
    ["ecto", "Ecto", "schema_migrations", ["version", "inserted_at"]],
    ["diesel", "Diesel", "__diesel_schema_migrations", ["version", "run_on"]],
    ["refinery", "refinery", "refinery_schema_history", ["applied_on", "checksum"], []],
    ["ef-core", "EF Core", "__efmigrationshistory", ["migrationid"], []],
    ["django", "Django", "django_migrations", ["app", "applied"], []],
    ["doctrine", "Doctrine", "doctrine_migration_versions", ["version"], []],
    ["phinx", "Phinx", "phinxlog", ["migration_name"], []],
    ["yoyo", "yoyo", "_yoyo_migration", ["migration_hash"], []],
    ["wrangler", "wrangler", "d1_migrations", ["name", "applied_at"], []],
    ["atlas", "Atlas", "atlas_schema_revisions", ["partial_hashes"], []],
    ["sqitch", "sqitch", "changes", ["change_id"], [], "sqitch"],
    ["pgroll", "pgroll", "migrations", ["resulting_schema"], [], "pgroll"],
    [
      ...["graphile-migrate", "graphile-migrate", "migrations"] as const,
      ...[["previous_hash"], [], "graphile_migrate"] as const,
    ],
  ] satisfies Recognised[]).map(recognised),
];
