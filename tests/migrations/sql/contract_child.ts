/**
 * Runs the contract of SQL dialects over a client that another runtime than Deno has, and prints a JSON array of outcomes.
 * `contract_child.ts <client>`
 */
import { declared } from "./contract_shim.ts";
import process from "node:process";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { type DialectFixture, testSqlDialect } from "../../contracts/sql_dialect.ts";
import { POSTGRESQL } from "./dialects.ts";
import { handles } from "./support.ts";

/** What one test of the contract found. */
export interface ContractOutcome {
  readonly name: string;
  /** Why it failed. */
  readonly failure?: string;
}

const ends: (() => Promise<unknown>)[] = [];

const CLIENTS: Readonly<Record<string, () => Promise<DialectFixture>>> = {
  // deno-lint-ignore require-await -- others are loaded
  "Bun.SQL, PostgreSQL": async () => ({
    ...POSTGRESQL,
    name: "Bun.SQL, PostgreSQL",
    async create(options: Partial<Datasource> = {}) {
      const datasource = await POSTGRESQL.create(options);
      const { host, port, username, password, database } = datasource;
      const sql = new Bun.SQL({
        ...{ adapter: "postgres", hostname: host, port, username, password: password?.reveal() },
        database,
      });
      handles.set(database, sql);
      ends.push(() => sql.close());
      return datasource;
    },
    async cleanUp() {
      for (const end of ends.splice(0)) await end();
      await POSTGRESQL.cleanUp();
    },
  }),
};

declare const Bun: {
  readonly SQL: new (options: object) => object & { close(): Promise<void> };
};

testSqlDialect(await CLIENTS[process.argv[2]!]!());
const outcomes: ContractOutcome[] = [];
for (const { name, fn } of declared) {
  try {
    await fn();
    outcomes.push({ name });
  } catch (error) {
    outcomes.push({ name, failure: error instanceof Error ? `${error.stack}` : `${error}` });
  }
}
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);
