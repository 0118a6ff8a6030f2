import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { IDEMPOTENCY_SCHEMA, KEYS } from "../../../src/features/idempotency/keys_table.ts";
import { SCHEDULES_SCHEMA, TICKS } from "../../../src/features/scheduling/ticks_table.ts";
import {
  current,
  transactional,
  TransactionError,
} from "../../../src/features/transactions/mod.ts";
import { OwnTable } from "../../../src/features/transactions/own_tables.ts";
import { OWN_TABLES } from "../../../src/migrations/sql/journal/records.ts";
import { KINDS } from "./databases.ts";
import { RecordingManager } from "./recording_manager.ts";

const USES = [
  { feature: "@Scheduled", table: TICKS, columns: "name, due", schema: "schedules-schema" },
  { feature: "idempotent", table: KEYS, columns: "id, body", schema: "idempotency-schema" },
];
const SCHEMAS = [SCHEDULES_SCHEMA, IDEMPOTENCY_SCHEMA];

for (const { name, skip, create } of KINDS) {
  Deno.test({
    name: `OwnTable + names the command that creates it, takes part in transactions: ${name}`,
    ignore: skip !== undefined,
    async fn() {
      await using database = await create();
      const { manager } = database;
      for (const [index, use] of USES.entries()) {
        const table = new OwnTable(manager, use);
        await database.run(`DROP TABLE IF EXISTS ${use.table}`);
        const error = await assertRejects(() => table.check(), TransactionError);
        assert(error.message.includes(`irori new ${use.schema}`), error.message);
        for (const sql of SCHEMAS[index]![table.dialect].split(/;\n/)) {
          if (sql.trim()) await database.run(sql);
        }
        await table.check();
      }
      const table = new OwnTable(manager, USES[0]!);
      const [row] = await table.query(`SELECT ${table.sql.now} AS now`);
      assert(Math.abs(Number(row!.now) - Date.now()) < 5000, `${row!.now}`);
      const insert = `INSERT INTO ${TICKS} (name, due, state, replica, lease, started) VALUES ` +
        `(?, ?, 'running', ?, ${table.sql.now} + ?, ${table.sql.now})`;
      await table.transaction(async () => {
        await table.query(insert, "one", 1, "a", 1000);
        throw new Error("rolled back");
      }).catch(() => {});
      await transactional({ manager }, () => table.query(insert, "two", 2, "it's ?", 1000));
      const rows = await table.query(`SELECT name, due, replica, error FROM ${TICKS}`);
      assertEquals(
        rows.map(({ name, due, replica, error }) => ({ name, due: Number(due), replica, error })),
        [
          { name: "two", due: 2, replica: "it's ?", error: null },
        ],
      );
      for (const { table } of USES) await database.run(`DROP TABLE ${table}`);
      assert(current(manager) !== undefined);
    },
  });
}

Deno.test("OwnTable + refuses a manager without queries", () => {
  assertThrows(
    () => new OwnTable(new RecordingManager(), USES[0]!),
    TransactionError,
    "Cannot use @Scheduled with 'RecordingManager': expected a transaction manager with 'dialect' and query()",
  );
});

Deno.test("schemas, drift and types of rows leave out every table of the library", () => {
  for (const { table } of USES) assert(OWN_TABLES.includes(table), table);
});
