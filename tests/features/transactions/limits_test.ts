import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  afterCommit,
  afterRollback,
  transactional,
  TransactionError,
  TransactionOutcomeUnknownError,
  TransactionRolledBackError,
  TransactionTimeoutError,
} from "../../../src/features/transactions/mod.ts";
import { Statements } from "../../../src/features/transactions/_statements.ts";
import { mariaDb, pgLite, postgreSql, sqlite } from "./databases.ts";

Deno.test({
  name: "timeout + lets the server stop a statement, and ends with the transaction: PostgreSQL",
  ignore: postgreSql.skip !== undefined,
  async fn() {
    await using database = await postgreSql.create({ size: 1 });
    const { manager, run } = database;
    await assertRejects(
      () => transactional({ manager, timeout: 0.1 }, () => run("SELECT pg_sleep(20)")),
      TransactionTimeoutError,
      "longer than its timeout of 0.1 s",
    );
    assertEquals(await run("SHOW statement_timeout"), [{ statement_timeout: "0" }]);
  },
});

Deno.test({
  name: "timeout + lets the server stop a statement, and restores its limit: MariaDB",
  ignore: mariaDb.skip !== undefined,
  async fn() {
    await using database = await mariaDb.create({ size: 1 });
    const { manager, run } = database;
    await run("SET max_statement_time = 7");
    await assertRejects(
      // SLEEP() alone is interrupted without an error.
      () => transactional({ manager, timeout: 0.1 }, () => run("DO BENCHMARK(1e12, 1 + 1)")),
      TransactionTimeoutError,
      "longer than its timeout of 0.1 s",
    );
    assertEquals(await run("SELECT @@max_statement_time AS seconds"), [{ seconds: 7 }]);
    assertEquals(
      await transactional({ manager, timeout: 0.1 }, () => run("SELECT @@max_statement_time AS s")),
      [{ s: 0.1 }],
    );
  },
});

Deno.test({
  name: "isolation and readOnly + are those of the transaction alone: PostgreSQL",
  ignore: postgreSql.skip !== undefined,
  async fn() {
    await using database = await postgreSql.create({ size: 1 });
    const { manager, run } = database;
    const modes = "SELECT current_setting('transaction_isolation') AS level, " +
      "current_setting('transaction_read_only') AS is_read_only";
    const options = { manager, isolation: "repeatable read", readOnly: true } as const;
    assertEquals(await transactional(options, () => run(modes)), [
      { level: "repeatable read", is_read_only: "on" },
    ]);
    assertEquals(await transactional({ manager }, () => run(modes)), [
      { level: "read committed", is_read_only: "off" },
    ]);
  },
});

Deno.test({
  name: "isolation + is that of the transaction alone: MariaDB",
  ignore: mariaDb.skip !== undefined,
  async fn() {
    await using database = await mariaDb.create({ size: 2 });
    const { manager, run } = database;
    for (const [isolation, seen] of [["read committed", 1], ["repeatable read", 0]] as const) {
      await run("DELETE FROM notes");
      const rows = await transactional({ manager, isolation }, async () => {
        await run("SELECT * FROM notes");
        await database.outside("INSERT INTO notes VALUES (1, 'text')");
        return await run("SELECT * FROM notes");
      });
      assertEquals(rows.length, seen, isolation);
    }
  },
});

Deno.test({
  name:
    "MysqlTransactions + refuses statements after a deadlock, which would commit one by one: MariaDB",
  ignore: mariaDb.skip !== undefined,
  async fn() {
    await using database = await mariaDb.create();
    const { manager, run } = database;
    await run("INSERT INTO notes VALUES (1, 'a'), (2, 'a')");
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const one = (index: number) =>
      transactional({ manager }, async () => {
        await run(`UPDATE notes SET text = 'b' WHERE id = ${index + 1}`);
        both[index]!.resolve();
        await both[1 - index]!.promise;
        await run(`UPDATE notes SET text = 'c' WHERE id = ${2 - index}`).catch(() => {});
        await run(`INSERT INTO notes VALUES (${index + 10}, 'after')`).catch(() => {});
      });
    const results = await Promise.allSettled([one(0), one(1)]);
    const lost = results.findIndex(({ status }) => status === "rejected");
    assertInstanceOf((results[lost] as PromiseRejectedResult).reason, TransactionRolledBackError);
    assertEquals(await database.outside("SELECT id FROM notes WHERE id >= 10"), [{
      id: 11 - lost,
    }]);
    assertEquals(database.used, 0);
  },
});

for (
  const [kind, statement, left] of [
    [mariaDb, "CREATE TABLE others (id INTEGER)", 1],
    [mariaDb, "COMMIT", 1],
    [postgreSql, "COMMIT", 1],
    [postgreSql, "ROLLBACK", 0],
    [sqlite, "COMMIT", 1],
    [sqlite, "ROLLBACK", 0],
  ] as const
) {
  for (const fails of [false, true]) {
    Deno.test({
      name: `transactional + knows no outcome after '${statement}' in ${
        fails ? "failing " : ""
      }work: ${kind.name}`,
      ignore: kind.skip !== undefined,
      async fn() {
        await using database = await kind.create();
        const { manager, run } = database;
        const log: string[] = [];
        await assertRejects(
          () =>
            transactional({ manager, retry: 1 }, async () => {
              afterCommit(() => log.push("commit"));
              afterRollback(() => log.push("rollback"));
              await run("INSERT INTO notes VALUES (1, 'text')");
              await run(statement).catch(() => {});
              await run("INSERT INTO notes VALUES (2, 'text')").catch(() => {});
              if (fails) throw new Error("of the work");
            }),
          TransactionOutcomeUnknownError,
          "A statement has ended the transaction, such as COMMIT",
        );
        assertEquals(log, []);
        assertEquals((await database.outside("SELECT * FROM notes")).length, left);
        assertEquals(database.used, 0);
        await run("DROP TABLE IF EXISTS others");
      },
    });
  }
}

Deno.test("PgliteTransactions + commits nothing after a statement has ended the transaction", async () => {
  await using database = await pgLite.create();
  const { manager, run } = database;
  await assertRejects(
    () => transactional({ manager }, () => run("ROLLBACK")),
    TransactionRolledBackError,
    "a statement in it failed or ended it",
  );
});

Deno.test("SqliteTransactions + refuses statements after the database has rolled back", async () => {
  await using database = await sqlite.create();
  const { manager, run } = database;
  await assertRejects(
    () =>
      transactional({ manager }, async () => {
        await run("INSERT INTO notes VALUES (1, 'text')");
        await run("INSERT OR ROLLBACK INTO notes VALUES (1, 'text')").catch(() => {});
        await run("INSERT INTO notes VALUES (2, 'text')").catch(() => {});
      }),
    TransactionRolledBackError,
  );
  assertEquals(await database.outside("SELECT * FROM notes"), []);
});

Deno.test({
  name: "PgTransactions + closes a connection that does not answer ROLLBACK: PostgreSQL",
  ignore: postgreSql.skip !== undefined,
  async fn() {
    await using database = await postgreSql.create({ size: 1, queryTimeout: 100 });
    const { manager, run } = database;
    await assertRejects(
      () => transactional({ manager }, () => run("SELECT pg_sleep(0.5)")),
      Error,
      "Query read timeout",
    );
    assertEquals(await run("SELECT now() = statement_timestamp() AS is_alone"), [{
      is_alone: true,
    }]);
  },
});

Deno.test("Statements + runs one after another, and waits for those that were not awaited", async () => {
  const statements = new Statements(() => false);
  const log: string[] = [];
  const one = (name: string, error?: Error) =>
    statements.run(async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (error) throw error;
    });
  void one("first");
  one("second", new Error("refused")).catch(() => {});
  await one("third");
  assertEquals(log.length, 6);
  assertEquals(log.map((line) => line.split(" ")[1]), Array(3).fill(["begins", "ends"]).flat());
  one("fourth", new Error("refused")).catch(() => {});
  await assertRejects(() => statements.close(), TransactionRolledBackError, "was not awaited");
  await assertRejects(() => one("fifth"), TransactionError, "its transaction has ended");
});
