import {
  byVersion,
  compareVersions,
  type Version,
  versionIn,
  versionOf,
} from "../../runner/mod.ts";
import { baseName, byNumberIn, execution, stem, text, toBoolean, type Tool } from "./tool.ts";

export const DBMATE: Tool = {
  ...toolByNames(
    ["dbmate", "schema_migrations", ["version"]],
    (path) => /^0*(\d+)/.exec(baseName(path))?.[1],
    { keyOfName: (version) => version.replace(/^0+(?=\d)/, "") },
  ),
  fits: (names) => !names.has(RAILS),
};

export const NODE_PG_MIGRATE = toolByNames(
  ["node-pg-migrate", "pgmigrations", ["name", "run_on"], ["id"]],
  stem,
);

/** knex: a row is the name of a file, which is a program; the file of ours has its name and the extension `.sql`. */
export const KNEX = toolByNames(
  ["knex", "knex_migrations", ["name", "migration_time", "batch"], ["id"]],
  stem,
  { keyOfName: stem },
);

export const SQL_MIGRATE = toolByNames(
  ["sql-migrate", "gorp_migrations", ["id", "applied_at"], []],
  baseName,
);

export const KYSELY = toolByNames(["Kysely", "kysely_migration", ["name", "timestamp"], []], stem, {
  order: (paths) => paths.toSorted((a, b) => stem(a).localeCompare(stem(b))),
});

export const MIKRO_ORM: Tool = {
  ...toolByNames(["MikroORM", "mikro_orm_migrations", ["name", "executed_at"], ["id"]], stem, {
    keyOfName: (name) => name.replace(/\.(?:[cm]?[jt]s|sql)$/, ""),
  }),
  id: "mikro-orm",
};

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
      const version = upVersion(path);
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
      order: byVersion(paths, upVersion),
    };
  },
};

function upVersion(path: string): Version | undefined {
  return versionIn(baseName(path), /^(\d+)_.*\.up\./);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** A tool whose rows have in their first column the name of a file or a part of it, and in the second one a time. */
function toolByNames(
  tool: Recognised,
  keyOf: (path: string) => string | undefined,
  { keyOfName = (name) => name, order }: {
    readonly keyOfName?: (name: string) => string;
    readonly order?: (paths: readonly string[]) => readonly string[];
  } = {},
): Tool {
  const own = recognised(tool);
  const [column = "", time] = own.columns;
  return {
    ...own,
    match(rows, paths) {
      const files = Map.groupBy(paths, keyOf);
      const found = rows.toSorted(byNumberIn("id")).map((row) => {
        const name = text(row[column]) ?? "";
        const [path] = files.get(keyOfName(name)) ?? [];
        return {
          name,
          ...(path !== undefined && { path }),
          ...(time !== undefined && execution(own.name, row[time])),
        };
      });
      return { rows: found, ...(order && { order: order(paths) }) };
    },
  };
}

type Recognised = readonly [
  name: string,
  table: string,
  columns: Tool["columns"],
  more?: NonNullable<Tool["more"]>,
  schema?: string,
];

function recognised([name, table, columns, more, schema]: Recognised): Tool {
  const id = name.toLowerCase().replace(" ", "-");
  return { id, name, tables: [table], columns, ...(more && { more }), ...(schema && { schema }) };
}

const RAILS = "ar_internal_metadata";

/** Tools whose rows are not files: changesets, revisions, positions of programs. `baseline --until` is the way from them. */
export const RECOGNISED: readonly Tool[] = [
  { ...recognised(["Rails", "schema_migrations", ["version"]]), fits: (names) => names.has(RAILS) },
  ...([
    ["Liquibase", "databasechangelog", ["md5sum"], []],
    ["Alembic", "alembic_version", ["version_num"], []],
    ["Umzug", "sequelizemeta", ["name"], []],
    ["TypeORM", "typeorm_migrations", ["timestamp"], []],
    ["TypeORM", "migrations", ["id", "timestamp", "name"]],
    ["Laravel", "migrations", ["id", "migration", "batch"]],
    ["Ecto", "schema_migrations", ["version", "inserted_at"]],
    ["Diesel", "__diesel_schema_migrations", ["version", "run_on"]],
    ["refinery", "refinery_schema_history", ["applied_on", "checksum"], []],
    ["EF Core", "__efmigrationshistory", ["migrationid"], []],
    ["Django", "django_migrations", ["app", "applied"], []],
    ["Doctrine", "doctrine_migration_versions", ["version"], []],
    ["Phinx", "phinxlog", ["migration_name"], []],
    ["yoyo", "_yoyo_migration", ["migration_hash"], []],
    ["Atlas", "atlas_schema_revisions", ["partial_hashes"], []],
    ["sqitch", "changes", ["change_id"], [], "sqitch"],
    ["pgroll", "migrations", ["resulting_schema"], [], "pgroll"],
    ["graphile-migrate", "migrations", ["previous_hash"], [], "graphile_migrate"],
  ] satisfies Recognised[]).map(recognised),
];
