import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  afterCommit,
  afterRollback,
  ConnectionUnavailableError,
  current,
  rollbackAfter,
  transactional,
  TransactionError,
  type TransactionOptions,
  TransactionRolledBackError,
  TransactionTimeoutError,
} from "../../../src/features/transactions/mod.ts";
import { logged } from "../../web/helpers.ts";
import type { DatabaseOptions, Kind, TestDatabase } from "./databases.ts";

/** The contract of every transaction manager. */
export function testTransactions(kind: Kind): void {
  const test = (
    title: string,
    body: (database: Opened) => Promise<void>,
    options?: DatabaseOptions,
  ) =>
    Deno.test({
      name: `transactions + ${title}: ${kind.name}`,
      ignore: kind.skip !== undefined,
      async fn() {
        await using database = await kind.create(options);
        await body(new Opened(database));
        assertEquals(database.used, 0);
      },
    });

  test("commit what fulfils, and roll back what rejects", async (db) => {
    assertEquals(await db.transaction(() => db.insert(1).then(() => "result")), "result");
    const error = new Error("refused");
    const thrown = await assertRejects(() =>
      db.transaction(() => db.insert(2).then(() => fail(error)))
    );
    assertEquals(thrown, error);
    assertEquals(await db.ids(), [1]);
    assertEquals(db.log, ["commit 1", "rollback 2"]);
  });

  test("rollbackAfter() leaves the database as it was", async (db) => {
    await db.transaction(() => db.insert(1));
    const seen = await rollbackAfter(db.manager, async () => {
      await db.transaction(() => db.insert(2));
      const failed = db.transaction(() => db.insert(3).then(() => db.insert(3)));
      await assertRejects(() => failed);
      await db.transaction(() => db.transaction(() => db.insert(4)));
      assertThrows(() => afterCommit(() => {}), TransactionError, "no transaction is open");
      return await db.run("SELECT id FROM notes ORDER BY id");
    });
    assertEquals(seen.map(({ id }) => Number(id)), [1, 2, 4]);
    assertEquals(await db.ids(), [1]);
    assertEquals(db.log, ["commit 1", "commit 2", "rollback 3", "commit 4"]);
  });

  test("rollbackAfter() throws what the test throws", async (db) => {
    const error = new Error("expected 1, found 2");
    const test = () => rollbackAfter(db.manager, () => db.insert(1).then(() => fail(error)));
    assertEquals(await assertRejects(test), error);
    assertEquals(await db.ids(), []);
  });

  test("rollbackAfter() refuses what would not see the rows of the test", (db) =>
    rollbackAfter(db.manager, async () => {
      const other = () => db.transaction(() => db.insert(1), { propagation: "requires-new" });
      await assertRejects(other, TransactionError, 'Cannot use the propagation "requires-new"');
      await assertRejects(() => db.transaction(other), TransactionError, "requires-new");
    }));

  test("functions of afterCommit() use the transaction of the test", (db) =>
    rollbackAfter(db.manager, async () => {
      await db.transaction(() => afterCommit(() => db.transaction(() => db.insert(1))));
      assertEquals((await db.run("SELECT id FROM notes")).length, 1);
    }));

  test("a call without propagation joins the open transaction", async (db) => {
    await assertRejects(() =>
      db.transaction(async () => {
        await db.transaction(() => db.insert(1));
        assertEquals(db.log, []);
        fail(new Error("refused"));
      })
    );
    assertEquals(await db.ids(), []);
    assertEquals(db.log, ["rollback 1"]);
  });

  test("an error of a joined call rolls back, though it was caught", async (db) => {
    const cause = new Error("refused");
    const thrown = await assertRejects(
      () =>
        db.transaction(async () => {
          await db.insert(1);
          await db.transaction(() => fail(cause)).catch(() => {});
          await db.insert(2);
        }),
      TransactionRolledBackError,
    );
    assertEquals(thrown.cause, cause);
    assertEquals(await db.ids(), []);
  });

  test("a nested transaction rolls back alone", async (db) => {
    await db.transaction(async () => {
      await db.insert(1);
      await db.nested(() => db.insert(1).then(() => {})).catch(() => {});
      await db.nested(async () => {
        await db.insert(2);
        await db.nested(() => db.insert(3).then(() => fail(new Error("refused")))).catch(() => {});
        await db.nested(() => db.insert(4));
      });
      assertEquals(db.log, []);
    });
    assertEquals(await db.ids(), [1, 2, 4]);
    assertEquals(db.log, ["commit 1", "commit 2", "rollback 3", "commit 4"]);
  });

  test("a nested transaction outside of one begins one", async (db) => {
    await db.nested(() => db.insert(1));
    assertEquals(db.log, ["commit 1"]);
  });

  test("a nested transaction that was not awaited changes nothing later", async (db) => {
    const failed = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    await db.transaction(async () => {
      await db.nested(async () => {
        late = assertRejects(() =>
          db.nested(async () => {
            opened.resolve();
            await failed.promise;
            fail(new Error("too late"));
          })
        );
        await opened.promise;
        fail(new Error("refused"));
      }).catch(() => {});
      await db.nested(() =>
        db.nested(async () => {
          await db.insert(1);
          failed.resolve();
          await late;
        })
      );
    });
    assertEquals(await db.ids(), [1]);
  });

  test("two nested transactions at the same time are an error", async (db) => {
    await assertRejects(
      () => db.transaction(() => Promise.all([1, 2].map((id) => db.nested(() => db.insert(id))))),
      TransactionError,
      "while a nested one is open in it",
    );
    await assertRejects(
      () => db.transaction(() => Promise.all([db.nested(() => db.insert(1)), db.insert(2)])),
      TransactionError,
      "while a nested one is open in it",
    );
    assertEquals(await db.ids(), []);
  });

  test("statements at the same time run one after another", async (db) => {
    await db.transaction(() => Promise.all([1, 2, 3, 4, 5].map((id) => db.insert(id))));
    assertEquals(await db.ids(), [1, 2, 3, 4, 5]);
  });

  test("a statement that is not awaited belongs to the transaction", async (db) => {
    await db.transaction(() => {
      void db.insert(1);
      return Promise.resolve();
    });
    assertEquals(await db.ids(), [1]);
    await assertRejects(
      () =>
        db.transaction(() => {
          db.insert(2).catch(() => {});
          db.insert(2).catch(() => {});
          return Promise.resolve();
        }),
      TransactionRolledBackError,
    );
    assertEquals(await db.ids(), [1]);
  });

  test("work that outlives its transaction cannot write", async (db) => {
    const gate = Promise.withResolvers<void>();
    const late: Promise<unknown>[] = [];
    const connections: unknown[] = [];
    await assertRejects(() =>
      db.transaction(() =>
        Promise.all([
          Promise.reject(new Error("refused")),
          (async () => {
            connections.push(current(db.manager));
            late.push(gate.promise.then(() => db.insert(1)));
            late.push(gate.promise.then(() => db.transaction(() => db.insert(2))));
            late.push(gate.promise.then(() => db.nested(() => db.insert(3))));
            await gate.promise;
          })(),
        ])
      )
    );
    gate.resolve();
    for (const one of late) await assertRejects(() => one, TransactionError, "has ended");
    assertEquals(await db.ids(), []);
  });

  test("afterCommit() and afterRollback() need a transaction", async (db) => {
    await assertRejects(
      async () => await afterCommit(() => {}),
      TransactionError,
      "no transaction is open",
    );
    await assertRejects(
      async () => await afterRollback(() => {}),
      TransactionError,
      "no transaction is open",
    );
    assertEquals(db.log, []);
  });

  test("afterCommit() runs outside of the transaction", async (db) => {
    await db.transaction(async () => {
      await db.insert(1);
      afterCommit(() => db.insert(2, false));
    });
    assertEquals(await db.ids(), [1, 2]);
  });

  test("what afterCommit() throws is logged, and changes nothing", async (db) => {
    const lines = await logged(async () => {
      await db.transaction(async () => {
        afterCommit(() => fail(new Error("refused")));
        await db.insert(1);
      });
    });
    assertEquals(lines.map(([message]) => message), [
      "A function that ran after a transaction failed",
    ]);
    assertEquals(await db.ids(), [1]);
    assertEquals(db.log, ["commit 1"]);
  });

  test("a read-only transaction refuses writes, and later ones do not", async (db) => {
    await assertRejects(() => db.transaction(() => db.insert(1), { readOnly: true }));
    assertEquals(await db.transaction(() => db.run("SELECT 1 AS one"), { readOnly: true }), [{
      one: 1,
    }]);
    await db.transaction(() => db.insert(2));
    assertEquals(await db.ids(), [2]);
  });

  test("each isolation level is accepted, and no other", async (db) => {
    const levels = [
      "read uncommitted",
      "read committed",
      "repeatable read",
      "serializable",
    ] as const;
    for (const isolation of levels) await db.transaction(() => db.run("SELECT 1"), { isolation });
    const isolation = "serializable; DROP TABLE notes" as "serializable";
    await assertRejects(
      () => db.transaction(() => db.insert(1), { isolation }),
      TransactionError,
      `Cannot use 'isolation' of a transaction: expected one of 'read uncommitted', 'read committed', `,
    );
    assertEquals(await db.ids(), []);
  });

  test("no statement and no commit follows the timeout", async (db) => {
    const wait = () => new Promise<void>((resolve) => void setTimeout(resolve, 60));
    for (const then of [() => db.run("SELECT 1"), () => {}]) {
      await assertRejects(
        () => db.transaction(() => db.insert(1).then(wait).then(then), { timeout: 0.05 }),
        TransactionTimeoutError,
        "longer than its timeout of 0.05 s",
      );
    }
    assertEquals(await db.ids(), []);
  });

  test("no other request sees what is not committed", async (db) => {
    const written = Promise.withResolvers<void>();
    const writing = assertRejects(() =>
      db.transaction(async () => {
        await db.insert(1);
        written.resolve();
        await db.run("SELECT 1");
        fail(new Error("refused"));
      })
    );
    await written.promise;
    assertEquals(await db.run("SELECT id FROM notes"), []);
    await writing;
  });

  if (kind.hasPool) testPool(test);
  else testOneConnection(test);
}

type Test = (
  title: string,
  body: (database: Opened) => Promise<void>,
  options?: DatabaseOptions,
) => void;

function testPool(test: Test): void {
  test("requires-new commits what the outer transaction does not", async (db) => {
    await assertRejects(() =>
      db.transaction(async () => {
        await db.insert(1);
        await db.transaction(() => db.insert(2), { propagation: "requires-new" });
        assertEquals(db.log, ["commit 2"]);
        fail(new Error("refused"));
      })
    );
    assertEquals(await db.ids(), [2]);
    assertEquals(db.log, ["commit 2", "rollback 1"]);
  });

  test(
    "requires-new deeper than the pool fails with size and depth, and leaks nothing",
    async (db) => {
      const deeper = (): Promise<void> => db.transaction(deeper, { propagation: "requires-new" });
      const { message } = await assertRejects(
        () => db.transaction(deeper),
        ConnectionUnavailableError,
      );
      assertMatch(
        message,
        /^Cannot get a connection to the database from the pool of 2; the caller holds 2, as each "requires-new" takes another one: none was free within 0\.1 s$/,
      );
      await db.transaction(() => db.insert(1));
      assertEquals(await db.ids(), [1]);
    },
    { size: 2, acquireTimeout: 0.1 },
  );

  test("as many requests as connections, each with requires-new, end", async (db) => {
    const results = await Promise.allSettled(
      [1, 2, 3].map((id) =>
        db.transaction(async () => {
          await db.insert(id);
          await db.transaction(() => db.insert(id + 10), { propagation: "requires-new" });
        })
      ),
    );
    const ids = await db.ids();
    for (const [index, { status }] of results.entries()) {
      assertEquals(ids.includes(index + 1), status === "fulfilled");
    }
  }, { size: 3, acquireTimeout: 0.2 });

  test("a server that cannot be reached is a ConnectionUnavailableError", async (db) => {
    await assertRejects(() => db.transaction(() => db.insert(1)), ConnectionUnavailableError);
    await assertRejects(() => db.run("SELECT 1"), ConnectionUnavailableError);
  }, { port: 1 });

  test("a connection that is lost before COMMIT rolls back", async (db) => {
    await assertRejects(() =>
      db.transaction(async () => {
        await db.insert(1);
        await db.kill();
        await db.run("SELECT 1");
      })
    );
    assertEquals(await db.ids(), []);
    assertEquals(db.log, ["rollback 1"]);
  });
}

function testOneConnection(test: Test): void {
  test("requires-new is refused", async (db) => {
    await assertRejects(
      () => db.transaction(() => db.insert(1), { propagation: "requires-new" }),
      TransactionError,
      'Cannot use the propagation "requires-new": the database has one connection',
    );
  });

  test("a statement that has lost its context says so", async (db) => {
    let lost!: (id: number) => Promise<unknown>;
    const channel = new Promise<number>((resolve) => {
      lost = (id) => {
        resolve(id);
        return statement;
      };
    });
    const statement = channel.then((id) => db.insert(id, false)); // Outside of the transaction.
    await assertRejects(
      () => db.transaction(() => lost(1)),
      ConnectionUnavailableError,
      "where the async context was lost",
    );
    assertEquals(await db.ids(), []);
  }, { acquireTimeout: 0.1 });
}

function fail(error: Error): never {
  throw error;
}

/** A database whose transactions log their outcome. */
class Opened {
  readonly log: string[] = [];
  readonly manager: TestDatabase["manager"];

  constructor(readonly database: TestDatabase) {
    this.manager = database.manager;
  }

  transaction<T>(work: () => Promise<T> | T, options?: TransactionOptions): Promise<T> {
    return transactional({ manager: this.manager, ...options }, work);
  }

  nested<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction(work, { propagation: "nested" });
  }

  async insert(id: number, isLogged = true): Promise<void> {
    await this.run(`INSERT INTO notes VALUES (${id}, 'text')`);
    if (!isLogged) return;
    try {
      afterCommit(() => this.log.push(`commit ${id}`));
      afterRollback(() => this.log.push(`rollback ${id}`));
    } catch {
      // The transaction did not wait for this.
    }
  }

  run(sql: string): Promise<Record<string, unknown>[]> {
    return this.database.run(sql);
  }

  kill(): Promise<void> {
    return this.database.kill();
  }

  async ids(): Promise<unknown[]> {
    const rows = await this.database.outside("SELECT id FROM notes ORDER BY id");
    return rows.map(({ id }) => id);
  }
}
