import { assert, assertEquals, assertRejects } from "@std/assert";
import { postgresql } from "../../../src/migrations/sql/dialects/postgresql.ts";
import { sqlite } from "../../../src/migrations/sql/dialects/sqlite.ts";
import {
  DatabaseError,
  type Datasource,
  type Dialect,
  sqlTarget,
} from "../../../src/migrations/sql/mod.ts";
import { cleanUp, create, postgresqlMissing } from "./postgresql_support.ts";
import { environment, filesOf } from "./support.ts";

const MEMORY: Datasource = {
  name: "main",
  kind: "sqlite",
  isPrimary: false,
  database: ":memory:",
  host: "localhost",
  port: 0,
  connectTimeoutMs: 5000,
  migrations: { enabled: true, onChange: "fail", placeholders: {} },
};

/** The databases themselves notice what reading the file has not found. */
const DIALECTS: [Dialect, boolean, () => Promise<Datasource>][] = [
  [sqlite, false, () => Promise.resolve(MEMORY)],
  [postgresql, postgresqlMissing !== undefined, () => create()],
];

for (const [dialect, ignore, datasource] of DIALECTS) {
  for (
    const text of [
      "COMMIT",
      "ROLLBACK",
      "COMMIT; BEGIN",
      "CREATE TABLE a (id INT); ROLLBACK; BEGIN",
    ]
  ) {
    Deno.test({
      name: `${dialect.name} notices at commit that a file has ended its transaction by ${text}`,
      ignore,
      async fn() {
        const settings = await datasource();
        const target = sqlTarget(settings, environment());
        const [file] = await filesOf({ "1.sql": "SELECT 1" });
        assert(file);
        const migration = target.classify(file);
        const database = await dialect.open(settings, environment({ allowMemory: true }));
        try {
          await database.write([{ sql: "CREATE TABLE record (id INT)", values: [] }]);
          const { transactions } = database;
          assert(transactions);
          await transactions.begin();
          await transactions.run({ ...migration, script: { ...migration.script, text } });
          const record = { sql: "INSERT INTO record VALUES (?)", values: [1] };
          const error = await assertRejects(() => transactions.commit(record), DatabaseError);
          assertEquals(error.kind, "ended transaction");
          await transactions.rollback();
          const { rows } = await database.select({ sql: "SELECT * FROM record", values: [] });
          assertEquals(rows, []);
        } finally {
          await database.close();
          await cleanUp();
        }
      },
    });
  }
}
