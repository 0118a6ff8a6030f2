/** Ticks in memory and in each database. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseTicks } from "../../../src/features/scheduling/database_ticks.ts";
import { SCHEDULES_SCHEMA, TICKS } from "../../../src/features/scheduling/ticks_table.ts";
import {
  MemoryTicks,
  SYSTEM_CLOCK,
  type Tick,
  type Ticks,
} from "../../../src/features/scheduling/ticks.ts";
import { TransactionError } from "../../../src/features/transactions/mod.ts";
import { KINDS, type TestDatabase } from "../transactions/databases.ts";

const tickOf = (name: string, due: number): Tick => ({
  name,
  due,
  state: "running",
  started: due,
});

/** Ticks of one database as several replicas see them. */
interface Replicas extends AsyncDisposable {
  /** @param lease in seconds */
  replica(lease?: number): Ticks;
}

function testTicks(name: string, open: () => Promise<Replicas>, skip?: string): void {
  const test = (behaviour: string, fn: (place: Replicas) => Promise<void>) =>
    Deno.test({
      name: `Ticks + ${behaviour}: ${name}`,
      ignore: skip !== undefined,
      async fn() {
        await using place = await open();
        await fn(place);
      },
    });
  test("one of many claims starts a tick, and no earlier one starts after it", async (place) => {
    const replicas = Array.from({ length: 4 }, () => place.replica());
    await replicas[0]!.sync([]);
    const due = replicas[0]!.now - 5000;
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => replicas[i % 4]!.claim("task", due, true)),
    );
    assertEquals(claims.filter((claim) => claim === "started").length, 1);
    assertEquals(claims.filter((claim) => claim === "taken").length, 19);
    assertEquals(await place.replica().claim("task", due - 1, true), "taken");
    assertEquals((await replicas[1]!.last("task"))?.state, "running");
  });

  test("a tick that meets a running one is skipped, or waits", async (place) => {
    const [one, two] = [place.replica(), place.replica()];
    await one.sync([]);
    const due = one.now - 5000;
    assertEquals(await one.claim("task", due, true), "started");
    assertEquals(await two.claim("task", due + 1, false), "taken");
    assertEquals(await two.claim("other", due, true), "started");
    assertEquals(await two.claim("task", due + 1, true), "skipped");
    assertEquals(await two.claim("task", due + 1, true), "taken");
    await one.end(tickOf("task", due), "no disk");
    assertEquals(await two.claim("task", due + 1, true), "taken");
    assertEquals(await two.claim("task", due + 2, true), "started");
    await two.end(tickOf("task", due + 2));
    const last = await one.last("task");
    assertEquals([last?.due, last?.state], [due + 2, "done"]);
    assert(last!.ended! >= last!.started);
  });

  test("a tick that is not due by the deciding clock is not started", async (place) => {
    const ticks = place.replica();
    await ticks.sync([]);
    assertEquals(await ticks.claim("task", ticks.now + 600_000, true), "early");
    assertEquals(await ticks.last("task"), undefined);
  });
}

testTicks("memory", () => {
  const ticks = new MemoryTicks(SYSTEM_CLOCK);
  return Promise.resolve({ replica: () => ticks, [Symbol.asyncDispose]: () => Promise.resolve() });
});

for (const { name, skip, create } of KINDS) {
  const open = async () => {
    const database = await create();
    await database.run(`DROP TABLE IF EXISTS ${TICKS}`);
    await database.run(SCHEDULES_SCHEMA[database.manager.dialect!].replace(/;\s*$/, ""));
    let count = 0;
    return {
      database,
      replica: (lease = 30) => new DatabaseTicks(database.manager, `replica ${count++}`, lease),
      async [Symbol.asyncDispose]() {
        await database.run(`DROP TABLE ${TICKS}`);
        await database[Symbol.asyncDispose]();
      },
    };
  };
  testTicks(name, open, skip);
  const test = (
    behaviour: string,
    fn: (database: TestDatabase, place: Replicas) => Promise<void>,
  ) =>
    Deno.test({
      name: `DatabaseTicks + ${behaviour}: ${name}`,
      ignore: skip !== undefined,
      async fn() {
        await using place = await open();
        await fn(place.database, place);
      },
    });

  /** Looks as often as a scheduler does, for some leases. */
  const look = async (ticks: readonly Ticks[], running: readonly Tick[] = []) => {
    const abandoned: Tick[] = [];
    for (let count = 0; count < 24; count++) {
      for (const one of ticks) abandoned.push(...(await one.sync(running)).abandoned);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return abandoned;
  };

  test(
    "a tick whose replica renews no lease is abandoned once, and the next one is free",
    async (_, place) => {
      const [dead, living, other] = [place.replica(), place.replica(0.2), place.replica(0.2)];
      await living.sync([]);
      const due = living.now - 5000;
      const tick = tickOf("task", due);
      assertEquals(await dead.claim("task", due, true), "started");
      assertEquals((await look([living, other])).map(({ due }) => due), [due]);
      assertEquals((await dead.sync([tick])).lost, [tick]);
      await dead.end(tick);
      assertEquals((await living.last("task"))?.state, "abandoned");
      assertEquals(await living.claim("task", due, true), "taken");
      assertEquals(await living.claim("task", due + 1, true), "started");
    },
  );

  test("a tick of long ago is abandoned at the first look", async (database, place) => {
    const [dead, living] = [place.replica(), place.replica()];
    await dead.sync([]);
    const due = dead.now - 5000;
    await dead.claim("task", due, true);
    assertEquals((await living.sync([])).abandoned, []);
    await database.run(`UPDATE ${TICKS} SET lease = ${dead.now - 1_000_000}`);
    assertEquals((await place.replica().sync([])).abandoned.map(({ due }) => due), [due]);
  });

  test(
    "a database whose clock was ahead starts none of its ticks again",
    async (database, place) => {
      const ticks = place.replica();
      await ticks.sync([]);
      const future = ticks.now + 600_000;
      const columns = "name, due, state, running, replica, lease, started";
      await database.run(
        `INSERT INTO ${TICKS} (${columns}) VALUES ('task', ${future}, 'done', NULL, 'r', ${future}, ${future})`,
      );
      const due = ticks.now - 1000;
      assertEquals(await ticks.claim("task", due, true), "started");
      await ticks.end(tickOf("task", due));
      assertEquals((await ticks.last("task"))?.due, due);
      await database.run(`UPDATE ${TICKS} SET due = ${due + 500} WHERE due = ${future}`);
      assertEquals(await ticks.claim("task", due + 500, true), "taken");
    },
  );

  test("a lease that is renewed keeps a tick", async (database, place) => {
    const [one, two] = [place.replica(0.2), place.replica(0.2)];
    await one.sync([]);
    const due = one.now - 5000;
    const tick = tickOf("task", due);
    await one.claim("task", due, true);
    // Whatever the clock of the database shows.
    await database.run(`UPDATE ${TICKS} SET lease = 0`);
    assertEquals(await look([one, two], [tick]), []);
  });

  test("keeps the last thousand ticks of a task", async (database, place) => {
    const ticks = place.replica();
    await ticks.sync([]);
    const values = Array.from(
      { length: 1500 },
      (_, i) => `('task', ${i}, 'done', NULL, 'r', 0, 0)`,
    );
    const columns = "name, due, state, running, replica, lease, started";
    await database.run(`INSERT INTO ${TICKS} (${columns}) VALUES ${values.join(", ")}`);
    await ticks.claim("task", 1500, true);
    await ticks.end({ name: "task", due: 1500, state: "running", started: 0 });
    const [row] = await database.run(`SELECT COUNT(*) AS n, MAX(due) AS last FROM ${TICKS}`);
    assertEquals([Number(row!.n), Number(row!.last)], [1000, 1500]);
  });
}

Deno.test({
  name: "DatabaseTicks + names the command that creates its table: SQLite",
  async fn() {
    await using database = await KINDS[2]!.create();
    await assertRejects(
      () => new DatabaseTicks(database.manager, "a", 30).check(),
      TransactionError,
      "write its migration with 'irori new schedules-schema' and apply it with 'irori migrate'",
    );
  },
});
