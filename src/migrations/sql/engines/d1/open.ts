import { redactor, Secret } from "../../connect/secret.ts";
import type { OpenDatabase } from "../../types.ts";
import { BatchDatabase } from "../sqlite/batches.ts";
import { bindingClient } from "./binding.ts";
import { API_HOST } from "./address.ts";
import { databaseOf } from "./wrangler.ts";

/** @throws {ConfigError} when wrangler's configuration does not have the database, or something that its API needs */
export const openD1: OpenDatabase = async (datasource, environment, signal) => {
  const { using } = environment;
  if (using !== undefined) {
    return new BatchDatabase(bindingClient(using), redactor(datasource), environment, signal);
  }
  const database = await databaseOf(datasource, environment);
  if (datasource.host === API_HOST) {
    const { apiOf, remoteClient } = await import("./remote.ts");
    const api = apiOf(datasource, database, environment);
    const redact = redactor({ ...datasource, password: new Secret(api.token) });
    return new BatchDatabase(remoteClient(api, environment), redact, environment, signal);
  }
  const { localClient } = await import("./local.ts");
  const redact = redactor(datasource);
  const client = await localClient(database, environment, redact);
  return new BatchDatabase(client, redact, environment, signal);
};
