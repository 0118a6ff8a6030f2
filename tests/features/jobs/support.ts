import { PgTransactions } from "../../../src/features/transactions/mod.ts";
import { jobsSchema } from "../../../src/features/jobs/tables.ts";
import { Secret } from "../../../src/migrations/sql/connect/secret.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { pooled } from "../../migrations/sql/pooler_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

export { postgresqlMissing } from "../../migrations/sql/postgresql_support.ts";

/** A database with the schema of jobs and a table `effects (job, note)`, until it is disposed of. */
export interface JobDatabase extends AsyncDisposable {
  readonly datasource: Datasource;
  readonly manager: PgTransactions;
  // deno-lint-ignore no-explicit-any -- what a test has selected
  query(sql: string, values?: unknown[]): Promise<any[]>;
}

export const EFFECTS = "CREATE TABLE effects (id serial PRIMARY KEY, job text, note text)";

/** @param way how the manager connects: behind PgBouncer, or as a role with the least privileges */
export async function jobDatabase(
  size = 10,
  way?: "pooler" | "role",
): Promise<JobDatabase> {
  const datasource = await postgresql.create();
  const admin = postgresql.poolOf(datasource, { max: size });
  await admin.query(`${await jobsSchema()}; ${EFFECTS}`);
  const role = `irori_${datasource.database.slice(-8)}`;
  const pools = [admin];
  if (way === "pooler") pools.push(postgresql.poolOf(pooled(datasource), { max: size }));
  if (way === "role") {
    const rest = `GRANT ALL ON effects, effects_id_seq TO ${role}`;
    await admin.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ${privilegesOf(role)}; ${rest}`,
    );
    pools.push(
      postgresql.poolOf({ ...datasource, username: role, password: new Secret("secret") }, {
        max: size,
      }),
    );
  }
  return {
    datasource,
    manager: new PgTransactions(pools.at(-1)!),
    query: async (sql, values) => (await admin.query(sql, values)).rows,
    async [Symbol.asyncDispose]() {
      if (way === "role") await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      for (const pool of pools) await pool.end();
      await postgresql.cleanUp();
    },
  };
}

/** As the guide names them. */
export function privilegesOf(role: string): string {
  return `GRANT USAGE ON SCHEMA irori_jobs TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA irori_jobs TO ${role}`;
}

/** Captures what is written to the console. */
export async function silently(run: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const { error, warn } = console;
  console.error = console.warn = (...parts) => lines.push(parts.map(String).join(" "));
  try {
    await run();
  } finally {
    Object.assign(console, { error, warn });
  }
  return lines;
}
