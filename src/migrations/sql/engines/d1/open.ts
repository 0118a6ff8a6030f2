import { redactor, Secret } from "../../connect/secret.ts";
import type { OpenDatabase, SqlMigration } from "../../types.ts";
import { BatchDatabase } from "../sqlite/batches.ts";
import { API_HOST } from "./address.ts";
import { bindingClient } from "./binding.ts";
import { refuseRebuild } from "./rebuilds.ts";
import { databaseOf } from "./wrangler.ts";

/** @throws {ConfigError} when wrangler's configuration does not have the database, or something that its API needs */
export const openD1: OpenDatabase = async (datasource, environment, signal) => {
  const redact = redactor(datasource);
  if (environment.using) {
    return new D1(bindingClient(environment.using), redact, environment, signal);
  }
  const database = await databaseOf(datasource, environment);
  if (datasource.host === API_HOST) {
    const { apiOf, remoteClient } = await import("./remote.ts");
    const api = apiOf(datasource, database, environment);
    const withToken = redactor({ ...datasource, password: new Secret(api.token) });
    return new D1(remoteClient(api, environment), withToken, environment, signal);
  }
  const { localClient } = await import("./local.ts");
  return new D1(await localClient(database, environment, redact), redact, environment, signal);
};

class D1 extends BatchDatabase {
  override readonly refusal = (migration: SqlMigration): Promise<string | undefined> =>
    refuseRebuild(migration, (sql) => this.query(sql));
}
