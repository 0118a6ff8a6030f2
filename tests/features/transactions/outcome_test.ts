import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  afterCommit,
  afterRollback,
  transactional,
  TransactionOutcomeUnknownError,
  TransactionRolledBackError,
} from "../../../src/features/transactions/mod.ts";
import { isRefusal, isRetryable, sqlStateOf } from "../../../src/features/transactions/outcome.ts";
import { type Cut, cuttingProxy } from "./cutting_proxy.ts";
import { KINDS, sqlite, type TestDatabase } from "./databases.ts";
import { until } from "../../until.ts";

/** Inserts a row, and logs what becomes of it. */
function insert({ manager, run }: TestDatabase, log: string[], retry = 0): Promise<void> {
  return transactional({ manager, retry }, async () => {
    log.push("try");
    await run("INSERT INTO notes VALUES (1, 'text')");
    afterCommit(() => log.push("commit"));
    afterRollback(() => log.push("rollback"));
  });
}

for (const kind of KINDS.filter(({ hasPool }) => hasPool)) {
  const url = Deno.env.get(kind.name === "MariaDB" ? "TEST_MYSQL_URL" : "TEST_PG_URL") ?? "";
  for (const [cut, rows] of [["request", 0], ["answer", 1]] as [Cut, number][]) {
    Deno.test({
      name:
        `transactional + does not know the outcome when the ${cut} of COMMIT is lost: ${kind.name}`,
      ignore: kind.skip !== undefined,
      async fn() {
        await using proxy = cuttingProxy(url);
        await using database = await kind.create({ port: proxy.port });
        const log: string[] = [];
        proxy.cut = cut;
        const { cause } = await assertRejects(
          () => insert(database, log, 3),
          TransactionOutcomeUnknownError,
          "The transaction may be committed or rolled back: the answer to COMMIT was lost",
        );
        assertInstanceOf(cause, Error);
        assertEquals(log, ["try"]);
        await until(async () => (await database.outside("SELECT * FROM notes")).length === rows);
        assertEquals(database.used, 0);
        assertEquals((await database.run("SELECT 1 AS one")).length, 1);
      },
    });
  }
}

for (const kind of KINDS.filter(({ hasPool }) => hasPool)) {
  Deno.test({
    name: `transactional + knows that a connection lost before COMMIT rolls back: ${kind.name}`,
    ignore: kind.skip !== undefined,
    async fn() {
      await using database = await kind.create();
      const { manager, run } = database;
      const log: string[] = [];
      const { cause } = await assertRejects(
        () =>
          transactional({ manager }, async () => {
            afterCommit(() => log.push("commit"));
            afterRollback(() => log.push("rollback"));
            await run("INSERT INTO notes VALUES (1, 'text')");
            await database.kill();
            await new Promise((resolve) => setTimeout(resolve, 100));
          }),
        TransactionRolledBackError,
        "its connection was lost before COMMIT",
      );
      assertInstanceOf(cause, Error);
      assertEquals(log, ["rollback"]);
      assertEquals(await database.outside("SELECT * FROM notes"), []);
      assertEquals(database.used, 0);
    },
  });
}

Deno.test("transactional + an unknown outcome of another transaction in it rolls back", async () => {
  await using database = await sqlite.create();
  const log: string[] = [];
  const unknown = new TransactionOutcomeUnknownError("of another database");
  const thrown = await assertRejects(() =>
    transactional({ manager: database.manager }, () => {
      afterRollback(() => log.push("rollback"));
      return Promise.reject(unknown);
    })
  );
  assertEquals(thrown, unknown);
  assertEquals(log, ["rollback"]);
});

const UNIQUE_AT_COMMIT: Readonly<Record<string, string>> = {
  PostgreSQL:
    "ALTER TABLE notes DROP CONSTRAINT notes_pkey, ADD PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED",
  PGlite:
    "ALTER TABLE notes DROP CONSTRAINT notes_pkey, ADD PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED",
  SQLite: "CREATE TABLE parts (note INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)",
};

for (const kind of KINDS) {
  const change = UNIQUE_AT_COMMIT[kind.name];
  if (change === undefined) continue;
  Deno.test({
    name: `transactional + knows that a constraint at COMMIT rolls back: ${kind.name}`,
    ignore: kind.skip !== undefined,
    async fn() {
      await using database = await kind.create();
      const { manager, run } = database;
      await run(change);
      const log: string[] = [];
      const breaking = kind.name === "SQLite"
        ? "INSERT INTO parts VALUES (7)"
        : "INSERT INTO notes VALUES (1, 'again')";
      await assertRejects(() =>
        transactional({ manager }, async () => {
          await insert(database, log);
          await run(breaking);
        })
      );
      assertEquals(log, ["try", "rollback"]);
      assertEquals(await database.outside("SELECT * FROM notes"), []);
    },
  });
}

/** An error as drivers make them. */
function errorWith(parts: Record<string, unknown>): Error {
  return Object.assign(new Error("as a driver says it"), parts);
}

Deno.test("isRefusal + is true for answers of the server that leave the session open", () => {
  const table: [parts: Record<string, unknown>, expected: boolean][] = [
    [{ code: "40001", severity: "ERROR" }, true],
    [{ code: "23505", severity: "ERROR" }, true],
    [{ code: "57014", severity: "ERROR" }, true],
    [{ code: "57P01", severity: "FATAL" }, false],
    [{ code: "40001", severity: "FATAL" }, false],
    [{ code: "40003", severity: "ERROR" }, false],
    [{ code: "08006" }, false],
    [{ code: "ECONNRESET", errno: -104 }, false],
    [{ code: "EPIPE" }, false],
    [{ code: "ER_LOCK_DEADLOCK", errno: 1213, sqlState: "40001" }, true],
    [{ code: "ER_LOCK_WAIT_TIMEOUT", errno: 1205, sqlState: "HY000" }, true],
    [{ code: "ER_QUERY_INTERRUPTED", errno: 1317, sqlState: "70100" }, false],
    [{ code: "ER_SERVER_SHUTDOWN", errno: 1053, sqlState: "08S01" }, false],
    [{ code: "ER_ERROR_DURING_COMMIT", errno: 1180, sqlState: "HY000" }, false],
    [{ code: "PROTOCOL_CONNECTION_LOST", fatal: true }, false],
    [{ code: "ERR_SQLITE_ERROR", errcode: 787 }, true],
    [{ code: "ERR_SQLITE_ERROR", errcode: 5 }, true],
    [{ code: "ERR_SQLITE_ERROR", errcode: 1034 }, false],
    [{ code: "SQLITE_CONSTRAINT_FOREIGNKEY" }, true],
    [{ code: "P2034" }, true],
    [{ code: "P1017" }, false],
    [{}, false],
  ];
  for (const [parts, expected] of table) {
    assertEquals(isRefusal(errorWith(parts)), expected, JSON.stringify(parts));
    assertEquals(isRefusal(new Error("of an ORM", { cause: errorWith(parts) })), expected);
  }
  assertEquals(isRefusal(new TransactionRolledBackError("")), true);
  for (const thrown of [undefined, null, "40001", { code: "40001" }]) {
    assertEquals(isRefusal(thrown), false);
  }
});

Deno.test("isRetryable + is true for serialization failures, deadlocks and lock wait timeouts", () => {
  const table: [parts: Record<string, unknown>, expected: boolean][] = [
    [{ code: "40001" }, true],
    [{ code: "40P01" }, true],
    [{ code: "P2034" }, true],
    [{ errno: 1213, sqlState: "40001" }, true],
    [{ errno: 1205, sqlState: "HY000" }, true],
    [{ code: "23505" }, false],
    [{ code: "40003" }, false],
    [{ code: "ECONNRESET" }, false],
  ];
  for (const [parts, expected] of table) {
    assertEquals(isRetryable(errorWith(parts)), expected, JSON.stringify(parts));
    assertEquals(isRetryable(new Error("of an ORM", { cause: errorWith(parts) })), expected);
    const unknown = new TransactionOutcomeUnknownError("", { cause: errorWith(parts) });
    assertEquals(isRetryable(unknown), false);
  }
  const loop = errorWith({});
  loop.cause = loop;
  assertEquals(isRetryable(loop), false);
});

for (const kind of KINDS) {
  Deno.test({
    name: `sqlStateOf() + is the same on each driver, also of an error that wraps it: ${kind.name}`,
    ignore: kind.skip !== undefined,
    async fn() {
      await using database = await kind.create();
      const { manager, run } = database;
      if (kind.name === "SQLite") await run("PRAGMA foreign_keys = ON");
      for (const table of ["children", "parents"]) await run(`DROP TABLE IF EXISTS ${table}`);
      await run("CREATE TABLE parents (id INTEGER PRIMARY KEY, name VARCHAR(9) UNIQUE)");
      await run(
        "CREATE TABLE children (id INTEGER NOT NULL, parent INTEGER, CHECK (id > 0), " +
          "FOREIGN KEY (parent) REFERENCES parents (id))",
      );
      await run("INSERT INTO parents VALUES (1, 'a')");
      await run("INSERT INTO children VALUES (1, 1)");
      const statements = [
        "INSERT INTO parents VALUES (1, 'b')",
        "INSERT INTO parents VALUES (2, 'a')",
        "INSERT INTO children VALUES (1, 9)",
        "DELETE FROM parents",
        "INSERT INTO children VALUES (NULL, 1)",
        "INSERT INTO children VALUES (0, 1)",
      ];
      const states = [];
      for (const sql of statements) {
        const error = await assertRejects(() => transactional({ manager }, () => run(sql)));
        states.push(sqlStateOf(new Error("wrapped", { cause: error })));
      }
      assertEquals(states, ["23505", "23505", "23503", "23503", "23502", "23514"]);
      for (const table of ["children", "parents"]) await run(`DROP TABLE ${table}`);
    },
  });
}

Deno.test("sqlStateOf() + is of no other error", () => {
  const errors = [
    new Error("x"),
    Object.assign(new Error("x"), { code: "ECONNREFUSED", errno: -111 }),
    Object.assign(new Error("x"), { code: "ERR_5" }),
    "23505",
    undefined,
    Object.assign(new Error("gRPC: NOT_FOUND"), { code: 5 }),
    Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", errno: -5 }),
  ];
  assertEquals(errors.map(sqlStateOf), errors.map(() => undefined));
});
