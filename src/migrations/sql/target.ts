import type { Target } from "../runner/mod.ts";
import type { Datasource } from "./connect/datasource.ts";
import { failOf } from "./failure.ts";
import { TableJournal } from "./journal/journal_table.ts";
import type { Address, Engine } from "./connect/url.ts";
import type { OpenDatabase, SqlEnvironment, SqlMigration } from "./types.ts";

const OPENERS: Readonly<Record<Engine, () => Promise<OpenDatabase>>> = {
  sqlite: async () => (await import("./engines/sqlite/database.ts")).openSqlite,
  batch: async () => (await import("./engines/sqlite/batches.ts")).openBatches,
  postgresql: async () => (await import("./engines/postgresql/database.ts")).openPostgresql,
  pglite: async () => (await import("./engines/pglite/database.ts")).openPglite,
  mysql: async () => (await import("./engines/mysql/database.ts")).openMysql,
};

/** The migrations of one SQL database: files `*.sql`, the table `framework_migrations` (reference 2.7). */
export function sqlTarget(
  datasource: Datasource,
  environment: SqlEnvironment,
): Target<SqlMigration> {
  const { name, each, recordedAs } = datasource;
  return {
    connection: name,
    attributes: attributesOf(datasource),
    extension: ".sql",
    classifier: async () =>
      (await import("./execute/classifier.ts")).classifierOf(datasource, environment),
    foreignFiles: async () => {
      const { foreignSqlFiles } = await import("../../features/adopt/sql_files.ts");
      return foreignSqlFiles(datasource);
    },
    ...(each && {
      tenants: async (which) => {
        const { tenantsOf } = await import("../../features/tenants/tenants.ts");
        return await tenantsOf(datasource, environment, {
          ...which,
          each,
          open: openDatabase,
          targetOf: sqlTarget as (...given: Parameters<typeof sqlTarget>) => Target,
        });
      },
    }),
    async open(signal) {
      const database = await openDatabase(datasource, environment, signal);
      return {
        get requests() {
          return database.requests;
        },
        connection: name,
        owner: environment.owner,
        journal: new TableJournal(database, name, environment, recordedAs),
        // Most runs have nothing to apply, and need neither it nor what takes SQL apart.
        executor: async () => {
          const { sqlExecutor } = await import("./execute/executor.ts");
          return sqlExecutor(database, datasource, environment);
        },
        foreign: async (migrations) => {
          const { foreignHistories } = await import("./foreign/read.ts");
          return await foreignHistories(database, datasource, migrations).catch(failOf(name));
        },
        close: () => database.close(),
      };
    },
  };
}

export const openDatabase: OpenDatabase = async (datasource, environment, signal) => {
  const open = await OPENERS[datasource.engine ?? datasource.kind]();
  return await open(datasource, environment, signal).catch(failOf(datasource.name));
};

/** @throws {ConfigError} for a connection that migrations cannot use */
export async function addressesOf(
  using: Readonly<Record<string, object>>,
  cwd: string,
): Promise<Readonly<Record<string, Address>>> {
  return (await import("./engines/handles.ts")).addressesOf(using, cwd);
}

/** Paths identify only this machine. */
function attributesOf(
  { kind, engine, database, host, port }: Datasource,
): Target["attributes"] {
  const system = { "db.system.name": kind };
  if (kind === "sqlite" || engine === "pglite") return system;
  return { ...system, "db.namespace": database, "server.address": host, "server.port": port };
}
