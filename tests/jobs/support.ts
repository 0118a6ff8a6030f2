import pg from "npm:pg@^8.23.0";
import { PgTransactions } from "../../src/transactions/mod.ts";
import { jobsSchema } from "../../src/jobs/schema.ts";
import type { Datasource } from "../../src/migrations/sql/mod.ts";
import * as postgresql from "../migrations/sql/postgresql_support.ts";

export { postgresqlMissing } from "../migrations/sql/postgresql_support.ts";

/** A database with the schema of jobs and a table `effects (job, note)`, until it is disposed of. */
export interface JobDatabase extends AsyncDisposable {
  readonly datasource: Datasource;
  readonly manager: PgTransactions;
  // deno-lint-ignore no-explicit-any -- what a test has selected
  query(sql: string, values?: unknown[]): Promise<any[]>;
}

export const EFFECTS = "CREATE TABLE effects (id serial PRIMARY KEY, job text, note text)";

export async function jobDatabase(size = 10): Promise<JobDatabase> {
  const datasource = await postgresql.create();
  const { host, port, username, password, database } = datasource;
  const pool = new pg.Pool({
    ...{ host, port, user: username, password: password?.reveal(), database },
    max: size,
  });
  pool.on("error", () => {});
  await pool.query(`${await jobsSchema()}; ${EFFECTS}`);
  return {
    datasource,
    manager: new PgTransactions(pool),
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await postgresql.cleanUp();
    },
  };
}

/** Waits for what another process, or a timer, does. */
export async function until(is: () => Promise<boolean> | boolean, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!await is()) {
    if (Date.now() > end) throw new Error(`It has not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
