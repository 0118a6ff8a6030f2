import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import { missing, server } from "./servers.ts";

export const poolerMissing = missing("TEST_PGBOUNCER_URL");

/** The same database behind PgBouncer, which gives a connection for one transaction. */
export function pooled(datasource: Datasource): Datasource {
  const { host, port } = server("TEST_PGBOUNCER_URL");
  return { ...datasource, host, port };
}

/** An empty database, until `cleanUp`, as the server has it and as the pooler has it. */
export async function create(
  options: Partial<Datasource> = {},
): Promise<{ readonly direct: Datasource; readonly behind: Datasource }> {
  const direct = await postgresql.create(options);
  return { direct, behind: pooled(direct) };
}
