/**
 * Runs the contract of SQL dialects over a client that another runtime than Deno has, and prints a JSON array of outcomes.
 * `contract_child.ts <client>`
 */
import { declared } from "./contract_shim.ts";
import process from "node:process";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InvalidFilesError, MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { addressesOf, type Datasource } from "../../../src/migrations/sql/mod.ts";
import { type DialectFixture, testSqlDialect } from "../../contracts/sql_dialect.ts";
import { batches, POSTGRESQL, SQLITE } from "./dialects.ts";
import { failing, handles, migrated } from "./support.ts";

/** The result of one test of the contract. */
export interface ContractOutcome {
  readonly name: string;
  /** Why it failed. */
  readonly failure?: string;
}

const ends: (() => Promise<unknown>)[] = [];

async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}

const CLIENTS: Readonly<Record<string, () => Promise<DialectFixture> | DialectFixture>> = {
  "PostgreSQL by Bun.SQL"() {
    Deno.test("PostgreSQL by Bun.SQL is refused files without a transaction by PgBouncer", async () => {
      const datasource = await POSTGRESQL.create();
      const url = new URL(process.env.TEST_PGBOUNCER_URL!);
      url.pathname = datasource.database;
      const sql = new Bun.SQL(url.href);
      handles.set(datasource.database, sql);
      const first = { "1.sql": "CREATE TABLE a (id INT);" };
      await migrated(datasource, first);
      const files = { ...first, "2.sql": "-- irori: no-transaction\nVACUUM a;" };
      const { message } = await failing(InvalidFilesError, datasource, files);
      assertStringIncludes(message, "there is a pooler");
      await sql.close();
      await POSTGRESQL.cleanUp();
    });
    return {
      ...POSTGRESQL,
      name: "PostgreSQL by Bun.SQL",
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
        await endAll();
        await POSTGRESQL.cleanUp();
      },
    };
  },
  "SQLite by Bun.SQL"() {
    Deno.test("SQLite by Bun.SQL is accepted, and MySQL is not", async () => {
      const main = new Bun.SQL("sqlite://:memory:");
      assertEquals((await addressesOf({ main }, "/")).main?.engine, "batch");
      await assertRejects(
        () => addressesOf({ main: new Bun.SQL("mysql://user@127.0.0.1/db") }, "/"),
        Error,
        "Bun.SQL does not tell whether a transaction of MySQL is open",
      );
    });
    return {
      ...batches(({ database }, text) => (handles.get(database) as BunSql).unsafe(text)),
      name: "SQLite by Bun.SQL",
      async create(options: Partial<Datasource> = {}) {
        const sql = new Bun.SQL("sqlite://:memory:");
        await sql.unsafe("PRAGMA foreign_keys = ON");
        handles.set(":memory:", sql);
        ends.push(() => sql.close());
        return await SQLITE.create({ engine: "batch", database: ":memory:", ...options });
      },
      cleanUp: endAll,
    };
  },
  async "SQLite by D1"() {
    // With its path: it is installed elsewhere.
    const { Miniflare } = await import(process.argv[3]!);
    const miniflare = new Miniflare({
      ...{ modules: true, script: "export default {}" },
      d1Databases: ["FK", ...Array.from({ length: 40 }, (_, index) => `DB${index}`)],
    });
    let databases = 0;
    Deno.test("SQLite by D1 refuses a file that relies on foreign keys being off", async () => {
      handles.set("FK", await miniflare.getD1Database("FK"));
      const datasource = await SQLITE.create({ engine: "d1", database: "FK" });
      const files = {
        "1.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY);\n" +
          "CREATE TABLE b (a INTEGER REFERENCES a (id) ON DELETE CASCADE);\n" +
          "INSERT INTO a VALUES (1);\nINSERT INTO b VALUES (1);",
        "2.sql": "PRAGMA foreign_keys = OFF;\nDROP TABLE IF EXISTS a;",
      };
      const { message } = await failing(MigrationFailedError, datasource, files);
      assertStringIncludes(message, "D1 always enforces foreign keys");
    });
    return {
      ...batches(async ({ database }, text) => {
        return (await (handles.get(database) as D1).prepare(text).all()).results;
      }),
      name: "SQLite by D1",
      // It refuses temporary tables.
      leaving: "CREATE TABLE left_behind (id INT);",
      minding: "CREATE TABLE b (id INT);",
      async create(options: Partial<Datasource> = {}) {
        const database = `DB${databases++}`;
        handles.set(database, await miniflare.getD1Database(database));
        return await SQLITE.create({ engine: "d1", database, ...options });
      },
      cleanUp: () => Promise.resolve(),
    };
  },
};

type Rows = Record<string, unknown>[];

interface BunSql {
  unsafe(text: string): Promise<Rows>;
  close(): Promise<void>;
}

declare const Bun: { readonly SQL: new (options: object | string) => BunSql };

interface D1 {
  prepare(text: string): { all(): Promise<{ readonly results: Rows }> };
}

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
