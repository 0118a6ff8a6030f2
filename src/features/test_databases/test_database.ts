import { type Config, ConfigError, type ConfigMap, createConfig } from "../../config/mod.ts";
import { loadConfig } from "../../config/load.ts";
import { loadRuntime } from "../../runtime/mod.ts";
import { join } from "../../runtime/path.ts";
import { hexDigest, quoted } from "../../text/mod.ts";
import { type ConnectionsOptions, filesIn, sqlConnections } from "../../migrations/connections.ts";
import { keysBelow, NO_FEATURES } from "../../migrations/runner/mod.ts";
import { datasourceKeys, sqlTarget } from "../../migrations/sql/mod.ts";
import type { Lease, LeaseDatabase, PlaceForTest } from "./lease.ts";
import { migrate as migrateFiles } from "../../migrations/migrate.ts";

/** The options of {@linkcode databaseForTest}. */
export interface DatabaseForTestOptions {
  /**
   * A server and one of its databases: `postgres://postgres@127.0.0.1/postgres`. The user must be allowed to create
   * databases; on PostgreSQL, schemas in this one suffice. For SQLite and PGlite pass `using`.
   */
  readonly url?: string;
  /** A database in memory: a `DatabaseSync` of `node:sqlite` or a `PGlite`. */
  readonly using?: object;
  /** Folder of the application, whose configuration has the datasource. @default "." */
  readonly root?: string;
  /** Name of the datasource. @default the first one with `migrations.enabled` */
  readonly connection?: string;
  /** Folder that holds a folder of files for each connection. @default `<root>/migrations` */
  readonly sqlPath?: string;
}

/** A database for one test, or for the tests of one file. */
export interface TestDatabase extends AsyncDisposable {
  /** URL of the database, with the credentials of the option `url`; absent with `using`. */
  readonly url?: string;
  /** Deletes it (PostgreSQL) or gives it back for another test (MySQL, MariaDB); closes no `using`. */
  close(): Promise<void>;
}

/**
 * Creates a database for a test, with the application's migrations and only the rows that these insert.
 *
 * - PostgreSQL: a copy of a template database, which is migrated once for each state of the files; for a user who may not
 *   create databases a schema of its own, which is migrated each time
 * - MySQL and MariaDB: a database that no other test uses now, emptied; migrated once for each state of the files
 * - `using`: the given database, migrated
 *
 * ```ts ignore
 * await using database = await databaseForTest({ url: "postgres://postgres@127.0.0.1/postgres" });
 * const config = { datasource: [{ name: "main", url: database.url }] };
 * await using app = await testApplication({ root: import.meta.dirname, config });
 * ```
 *
 * @throws {ConfigError} when the configuration has no such datasource
 * @throws {MigrationRunError} when a migration fails
 * @throws {DatabaseError} when the server refuses the user, or the user may not create what is needed
 */
export async function databaseForTest(
  { url, using, root, connection, sqlPath }: DatabaseForTestOptions,
): Promise<TestDatabase> {
  if ((url === undefined) === (using === undefined)) {
    throw new TypeError(`${CANNOT}: expected either 'url' or 'using'`);
  }
  const runtime = await loadRuntime();
  const application = await loadConfig({ runtime, ...(root !== undefined && { root }), only: [] });
  const settings = datasourceOf(application, connection);
  const folder = sqlPath ?? join(application.root, "migrations");
  const configOf = (url?: string, schema?: string) => {
    const migrations = { ...settings.migrations, ...(schema && { history_schema: schema }) };
    const datasource = [{ ...settings, migrations, ...(url !== undefined && { url }) }];
    return createConfig({ datasource }, { root: application.root });
  };
  const migrate = migrateFiles("sql", {
    sqlPath: folder,
    ...(using && { using: { [settings.name]: using } }),
  });
  if (url === undefined) {
    await migrate(configOf());
    return disposable(() => Promise.resolve());
  }
  const options = { runtime, config: configOf(url), sqlPath: folder };
  const lease = await onServer(options, async (place) => {
    await migrate(configOf(urlOf(place, url), place.schema));
  });
  return { url: urlOf(lease, url), ...disposable(lease.close) };
}

function urlOf({ database, schema }: PlaceForTest, server: string): string {
  const url = Object.assign(new URL(server), { pathname: `/${encodeURIComponent(database)}` });
  for (const name of [...url.searchParams.keys()]) {
    if (/^(?:db[-_]?name|database)$/i.test(name)) url.searchParams.delete(name);
  }
  if (schema === undefined) return url.href;
  url.searchParams.delete("currentSchema");
  url.searchParams.set("options", `-c search_path=${schema}`);
  return url.href;
}

const CANNOT = "Cannot create a database for a test";

function disposable(close: () => Promise<void>) {
  return { close, [Symbol.asyncDispose]: close };
}

/** The datasource, without what features read of it, such as tenants. @throws {ConfigError} */
function datasourceOf(config: Config, connection?: string) {
  const sections = config.sections("datasource");
  const section = sections.find((one) => {
    return connection === undefined
      ? one.boolean("migrations.enabled", false)
      : one.string("name") === connection;
  });
  if (!section) {
    const names = quoted(sections.map((one) => one.string("name", "")));
    const wanted = connection === undefined ? "with 'migrations.enabled'" : `named '${connection}'`;
    throw new ConfigError(`The configuration has no datasource ${wanted} (found ${names})`);
  }
  const migrations = (section.get("migrations") ?? {}) as ConfigMap;
  const known = keysBelow(datasourceKeys(NO_FEATURES), "migrations");
  const settings = Object.entries(migrations).filter(([key]) => known.includes(key));
  const { url: _, ...own } = Object.fromEntries(settings);
  return { name: section.string("name", ""), migrations: { ...own, enabled: true } };
}

const SERVERS: Readonly<Record<string, () => Promise<{ readonly lease: LeaseDatabase }>>> = {
  postgresql: () => import("./postgresql.ts"),
  mysql: () => import("./mysql.ts"),
};

async function onServer(
  options: ConnectionsOptions,
  fill: (place: PlaceForTest) => Promise<void>,
): Promise<Lease> {
  const [connection] = await sqlConnections(options);
  const { datasource, environment } = connection!;
  const { kind, engine, schema, historySchema, migrations } = datasource;
  const load = SERVERS[engine ?? kind];
  if (load === undefined) {
    const found = engine ?? kind;
    throw new TypeError(`${CANNOT}: expected the 'url' of a server, found ${found}; pass 'using'`);
  }
  const files = await filesIn(sqlTarget(datasource, environment), options);
  const contents = files.map(({ path, hash }) => [path, hash]);
  const state = JSON.stringify([schema, historySchema, migrations, contents]);
  const prefix = `irori_test_${(await hexDigest(state)).slice(0, 12)}`;
  const { lease } = await load();
  return await lease(datasource, environment, prefix, fill);
}
