import type { Target } from "../runner/mod.ts";
import type { Address, Datasource } from "./connect/datasource.ts";
import { failOf } from "./failure.ts";
import { TableJournal } from "./journal/journal_table.ts";
import { engineOf } from "./engines/table.ts";
import { DATABASE, SQL } from "./offers.ts";
import type { OpenDatabase, SqlEnvironment, SqlMigration } from "./types.ts";

/** The migrations of one SQL database: files `*.sql`, the table `framework_migrations` (reference 2.7). */
export function sqlTarget(
  datasource: Datasource,
  environment: SqlEnvironment,
): Target<SqlMigration> {
  const { name, recordedAs } = datasource;
  const { features } = environment;
  const offers = [...datasource.offers, SQL.offer({ datasource, environment })];
  return {
    features,
    offers,
    connection: name,
    attributes: attributesOf(datasource),
    extension: ".sql",
    folder: (root) => engineOf(datasource).folder(root, datasource, environment),
    classifier: async () => (await import("./execute/classifier.ts")).classifierOf(datasource),
    // Its placeholders are filled in when a file is taken apart.
    withValues: (files) => Promise.resolve(files),
    async open(signal) {
      const database = await openDatabase(datasource, environment, signal);
      return {
        get requests() {
          return database.requests;
        },
        features,
        offers: [...offers, DATABASE.offer(database)],
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
  const open = await engineOf(datasource).open();
  return await open(datasource, environment, signal).catch(failOf(datasource.name));
};

/** @throws {ConfigError} for a connection that migrations cannot use */
export async function addressesOf(
  using: Readonly<Record<string, object>>,
  cwd: string,
): Promise<Readonly<Record<string, Address>>> {
  return (await import("./connect/handles.ts")).addressesOf(using, cwd);
}

/** Paths identify only this machine. */
function attributesOf({ kind, engine, database, host, port }: Datasource): Target["attributes"] {
  const system = { "db.system.name": kind };
  if (engineOf({ kind, engine }).isEmbedded) return system;
  return { ...system, "db.namespace": database, "server.address": host, "server.port": port };
}
