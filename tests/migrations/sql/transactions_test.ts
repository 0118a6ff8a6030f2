import { assert, assertEquals, assertRejects } from "@std/assert";
import { classifySql } from "../../../src/migrations/sql/files/classify.ts";
import { openPostgresql } from "../../../src/migrations/sql/engines/postgresql/database.ts";
import { openSqlite } from "../../../src/migrations/sql/engines/sqlite/database.ts";
import { postgresql } from "../../../src/migrations/sql/engines/postgresql/dialect.ts";
import { sqlite } from "../../../src/migrations/sql/engines/sqlite/dialect.ts";
import {
  DatabaseError,
  type Datasource,
  type Dialect,
  type OpenDatabase,
} from "../../../src/migrations/sql/mod.ts";
import * as postgresqlSupport from "./postgresql_support.ts";
import * as sqliteSupport from "./sqlite_support.ts";
import { environment, loadedFile } from "./support.ts";

/** The databases themselves notice what reading the file has not found. */
interface Subject {
  readonly dialect: Dialect;
  readonly open: OpenDatabase;
  readonly ignore: boolean;
  create(): Promise<Datasource>;
  cleanUp(): Promise<void>;
}

const SUBJECTS: readonly Subject[] = [
  { dialect: sqlite, open: openSqlite, ignore: false, ...sqliteSupport },
  {
    dialect: postgresql,
    open: openPostgresql,
    ignore: postgresqlSupport.postgresqlMissing !== undefined,
    ...postgresqlSupport,
  },
];

const UPDATE = "UPDATE framework_migrations SET migration_path = 2 WHERE migration_path = 1";

/** Files with transactions of their own, and the number of rows of the record that they commit themselves. */
const FILES: readonly (readonly [text: string, rows: number])[] = [
  ["COMMIT", 1],
  ["ROLLBACK", 0],
  ["COMMIT; BEGIN", 1],
  ["CREATE TABLE a (id INT); ROLLBACK; BEGIN", 0],
];

for (const { dialect, open, ignore, create, cleanUp } of SUBJECTS) {
  for (const [text, rows] of FILES) {
    Deno.test({
      name: `${dialect.name} notices at commit that a file has ended its transaction by ${text}`,
      ignore,
      async fn() {
        const file = await loadedFile("1.sql", "SELECT 1");
        const settings = { onChange: "fail", placeholders: {} } as const;
        const migration = classifySql(file, dialect, settings);
        const database = await open(await create(), environment());
        try {
          assert(await database.tryLock());
          const command = (sql: string) => ({ sql, values: [], fence: "1.sql" });
          const sql = "CREATE TABLE framework_migrations (migration_path INT)";
          await database.write([{ sql, values: [] }]);
          const transactions = database.transactions();
          assert(transactions);
          const script = { ...migration.script, text };
          await transactions.run(
            { ...migration, script },
            command("INSERT INTO framework_migrations VALUES (1)"),
          );
          const error = await assertRejects(
            () => transactions.commit(() => command(UPDATE)),
            DatabaseError,
          );
          assertEquals(error.kind, "ended transaction");
          await transactions.rollback();
          const { table } = await database.read();
          assertEquals(
            table?.rows.map(({ migration_path }) => Number(migration_path)),
            Array(rows).fill(1),
          );
        } finally {
          await database.close();
          await cleanUp();
        }
      },
    });
  }
}
