import { redactor, Secret } from "../../connect/secret.ts";
import type { OpenDatabase, SqlMigration } from "../../types.ts";
import { BatchDatabase } from "../sqlite/batches.ts";
import { API_HOST } from "./address.ts";
import { bindingClient } from "./binding.ts";
import { guarded, refusalsOf } from "./rebuilds.ts";
import { databaseOf } from "./wrangler.ts";

/** @throws {ConfigError} when wrangler's configuration does not have the database, or something that its API needs */
export const openD1: OpenDatabase = async (datasource, environment, signal) => {
  const redact = redactor(datasource);
  if (environment.using) {
    return new D1(guarded(bindingClient(environment.using)), redact, environment, signal);
  }
  const database = await databaseOf(datasource, environment);
  if (datasource.host === API_HOST) {
    const { apiOf, remoteClient } = await import("./remote.ts");
    const api = apiOf(datasource, database, environment);
    const withToken = redactor({ ...datasource, password: new Secret(api.token) });
    return new D1(guarded(remoteClient(api, environment)), withToken, environment, signal);
  }
  const { localClient } = await import("./local.ts");
  const client = await localClient(database, environment, redact);
  return new D1(guarded(client), redact, environment, signal);
};

class D1 extends BatchDatabase {
  override readonly refusal = async (migration: SqlMigration): Promise<string | undefined> => {
    const [refusal] = await refusalsOf([migration], (sql) => this.query(sql));
    return refusal?.isCertain ? refusal.message : undefined;
  };
}
