/** Jobs with the transaction managers that the guide has for ORMs, with the real packages. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { bootstrap } from "irori";
import { jobs } from "irori/jobs";
import { type PgConnection, TransactionManager } from "irori/transactions";
import { DRIZZLE, KYSELY, PRISMA, runWith, urlOf } from "../transactions/orms.ts";
import { IS_ALL } from "../../long/mod.ts";
import { jobDatabase, postgresqlMissing } from "./support.ts";

const MAIN = `import { bootstrap, inject, Service } from "@irori/irori";
import { Job, type JobRun, Jobs, jobs } from "@irori/irori/jobs";
import { current, transactional } from "@irori/irori/transactions";
import process from "node:process";
import { Connections, Database } from "./database.ts";
USE
const ran: string[] = [];
const errors: string[] = [];
console.error = (...parts: unknown[]) => errors.push(parts.map(String).join(" "));
let finish = () => {};

@Service()
class Notes {
  readonly database = inject(Database);

  @Job("note", { retry: 1, backoff: { delay: 0 } })
  async run({ id, text }: { readonly id: number; readonly text: string }, { attempt }: JobRun) {
    await insert(current(this.database), id);
    ran.push(id + " " + text);
    if (text === "fails" && attempt === 1) throw new Error("at first");
    const kill = "SELECT pg_terminate_backend(pg_backend_pid())";
    if (text === "killed" && attempt === 1) await this.database.query(current(this.database), kill, []);
    finish();
  }
}

const app = await bootstrap({
  components: [Connections, Database, Notes],
  config: { datasource: [{ name: "main", url: process.env.DATABASE_URL ?? "" }] },
  extensions: [jobs()],
});
const manager = app.context.get(Database);
const bean = app.context.get(Jobs);
const add = (id: number, text: string, key?: string) => bean.enqueue("note", { id, text }, { key });
const fail = () => Promise.reject(new Error("refused"));

await transactional({ manager }, async () => {
  await add(1, "it's $1 of $2");
  await transactional({ manager, propagation: "nested" }, () => add(2, "lost").then(fail))
    .catch(() => {});
});
await transactional({ manager }, () => add(3, "lost").then(fail)).catch(() => {});
await add(4, "fails");
await add(8, "killed");
await transactional({ manager }, () => add(5, "first", "key"));
const second = await transactional({ manager }, () => add(6, "second", "key"));
const drained = await bean.drain();
const again = "UPDATE irori_jobs.job SET state = 'retry', retry_limit = 9, completed_on = NULL";
await transactional({ manager }, () => manager.query(current(manager), again, []));
const drainedAgain = await bean.drain();
const isDone = new Promise<void>((resolve) => finish = resolve);
await bean.start();
await add(7, "by a worker");
await isDone;
await app.close();
const output = [second ?? "none", drained, drainedAgain, ran.sort(), errors];
console.log(JSON.stringify(output));
`;
const EXPECTED = [
  "none",
  { completed: 4, failed: 2, dead: 0 },
  { completed: 4, failed: 0, dead: 0 },
  ["1 it's $1 of $2", "4 fails", "4 fails", "5 first", "7 by a worker", "8 killed", "8 killed"],
];

for (const [name, orm] of Object.entries({ Kysely: KYSELY, Drizzle: DRIZZLE, Prisma: PRISMA })) {
  Deno.test({
    name: `jobs + the manager of the guide for ${name}: enqueue and run in its transactions`,
    ignore: postgresqlMissing !== undefined,
    async fn() {
      await using database = await jobDatabase();
      await database.query("CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(40))");
      const printed = await runWith(orm, MAIN, urlOf(database.datasource.database), {
        isChecked: IS_ALL,
      });
      const [errors, ...rest] = JSON.parse(printed).reverse();
      assertEquals(rest.reverse(), EXPECTED);
      assertEquals(errors.length, 2, errors.join("\n"));
      const rows = await database.query("SELECT id FROM notes ORDER BY id");
      assertEquals(rows.map(({ id }) => id), [1, 4, 5, 7, 8]);
    },
  });
}

Deno.test({
  name:
    "jobs + refuse a manager without a pool, and one whose queries differ from those of the pool",
  ignore: postgresqlMissing !== undefined,
  async fn() {
    await using database = await jobDatabase();
    const { manager: inner } = database;
    class Swapping extends TransactionManager<PgConnection> {
      override readonly dialect = "postgresql";
      override readonly pool?: object = undefined;
      readonly connection = inner.connection;
      override readonly run = inner.run.bind(inner);
      override readonly execute = inner.execute.bind(inner);

      override query(connection: PgConnection, text: string, values: readonly unknown[]) {
        return inner.query(connection, text, values.toReversed());
      }
    }
    class WithPool extends Swapping {
      override readonly pool = inner.pool;
    }
    class Outside extends WithPool {
      override query(_: PgConnection, text: string, values: readonly unknown[]) {
        return inner.query(inner.connection, text, values);
      }
    }
    class Misspelled extends WithPool {
      override readonly dialect = "postgres" as "postgresql";
    }
    const start = (manager: TransactionManager) => bootstrap({ extensions: [jobs({ manager })] });
    await assertRejects(
      () => start(new Swapping()),
      Error,
      "Cannot run jobs with 'Swapping': expected a transaction manager with 'dialect', query(), execute() and 'pool'",
    );
    for (const [manager, found] of [[new WithPool(), "ab"], [new Outside(), null]] as const) {
      const { message } = await assertRejects(() => start(manager), Error);
      assertStringIncludes(
        message,
        `Cannot run jobs with '${manager.constructor.name}': after 'SET LOCAL`,
      );
      assertStringIncludes(message, `${JSON.stringify(found)}`);
    }
    await assertRejects(
      () => start(new Misspelled()),
      Error,
      "Cannot run jobs on 'postgres': expected a PostgreSQL server",
    );
  },
});
