import { assertEquals, assertRejects } from "@std/assert";
import {
  afterCommit,
  afterRollback,
  transactional,
  TransactionManager,
  type TransactionOptions,
} from "../../../src/features/transactions/mod.ts";
import { mariaDb, postgreSql, type TestDatabase } from "./databases.ts";

/** Two transactions that read both rows, and change one each, at the same time. */
async function cross(
  { manager, run }: TestDatabase,
  options: TransactionOptions,
  isChange: boolean,
): Promise<{ readonly tries: number; readonly log: readonly string[] }> {
  await run("INSERT INTO notes VALUES (1, 'a'), (2, 'a')");
  const log: string[] = [];
  let tries = 0;
  const both = Promise.withResolvers<void>();
  const one = (own: number, other: number) =>
    transactional({ manager, ...options }, async () => {
      afterCommit(() => log.push("commit"));
      afterRollback(() => log.push("rollback"));
      await run(isChange ? `UPDATE notes SET text = 'b' WHERE id = ${own}` : "SELECT * FROM notes");
      if (++tries === 2) both.resolve();
      await both.promise;
      await run(`UPDATE notes SET text = 'c' WHERE id = ${other}`);
    });
  await Promise.all([one(1, 2), one(2, 1)]);
  return { tries, log };
}

for (const kind of [postgreSql, mariaDb]) {
  Deno.test({
    name: `retry + runs a transaction again after a deadlock: ${kind.name}`,
    ignore: kind.skip !== undefined,
    async fn() {
      await using database = await kind.create();
      const { tries, log } = await cross(database, { retry: 3 }, true);
      assertEquals([tries, ...log.toSorted()], [3, "commit", "commit", "rollback"]);
      assertEquals(database.used, 0);
    },
  });
}

Deno.test({
  name: "retry + runs a transaction again after a serialization failure: PostgreSQL",
  ignore: postgreSql.skip !== undefined,
  async fn() {
    await using database = await postgreSql.create();
    const { log } = await cross(database, { retry: 3, isolation: "serializable" }, false);
    assertEquals(log.toSorted(), ["commit", "commit", "rollback"]);
  },
});

/** Fails a given number of times, after work or in the commit. */
class Failing extends TransactionManager<undefined> {
  readonly connection = undefined;
  runs = 0;

  constructor(readonly failures: number, readonly code = "40001") {
    super();
  }

  async run<T>(_: unknown, work: (connection: undefined) => Promise<T>): Promise<T> {
    const result = await work(undefined);
    if (this.runs++ < this.failures) {
      throw Object.assign(new Error("conflict"), { code: this.code });
    }
    return result;
  }
}

Deno.test("retry + ends after the number of attempts", async () => {
  const manager = new Failing(5);
  await assertRejects(() => transactional({ manager, retry: 2 }, () => 1), Error, "conflict");
  assertEquals(manager.runs, 3);
  assertEquals(await transactional({ manager, retry: 2 }, () => 1), 1);
});

Deno.test("retry + is off by default, and for other errors", async () => {
  const manager = new Failing(1);
  await assertRejects(() => transactional({ manager }, () => 1), Error, "conflict");
  const other = new Failing(1, "23505");
  await assertRejects(
    () => transactional({ manager: other, retry: 5 }, () => 1),
    Error,
    "conflict",
  );
  assertEquals([manager.runs, other.runs], [1, 1]);
});

Deno.test("retry + acts on the outermost transaction only", async () => {
  const outer = new Failing(0), inner = new Failing(1);
  await assertRejects(
    () =>
      transactional({ manager: outer }, () => transactional({ manager: inner, retry: 3 }, () => 1)),
    Error,
    "conflict",
  );
  assertEquals([outer.runs, inner.runs], [0, 1]);
  const manager = new Failing(1);
  const again = () => transactional({ manager, retry: 3, propagation: "requires-new" }, () => 1);
  assertEquals(await transactional({ manager: outer, retry: 1 }, again), 1);
  assertEquals([outer.runs, manager.runs], [1, 2]);
});
