import type { Datasource } from "./connect/datasource.ts";
import type { Fill, Lease } from "./testing/types.ts";
import type { SqlEnvironment } from "./types.ts";

/**
 * @param prefix of the names of databases: the same for the same migrations
 * @throws {DatabaseError} when the server cannot be reached, or refuses its user
 */
export async function leaseDatabase(
  server: Datasource,
  environment: SqlEnvironment,
  prefix: string,
  fill: Fill,
): Promise<Lease> {
  const { lease } = server.kind === "mysql"
    ? await import("./testing/mysql.ts")
    : await import("./testing/postgresql.ts");
  return await lease(server, environment, prefix, fill);
}
