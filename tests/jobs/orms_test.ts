/** Jobs with the transaction manager of an ORM. */
import { assertEquals, assertRejects } from "@std/assert";
import { CompiledQuery, Kysely, PostgresDialect, sql } from "npm:kysely@^0.28.17";
import pg from "npm:pg@^8.23.0";
import { bootstrap, Service } from "irori";
import { Job, type JobRun, Jobs, jobs } from "irori/jobs";
import {
  current,
  transactional,
  TransactionManager,
  type TransactionSettings,
} from "irori/transactions";
import { jobDatabase, postgresqlMissing } from "./support.ts";

interface Tables {
  readonly effects: { readonly job: string; readonly note: string };
}

class Database extends TransactionManager<Kysely<Tables>> {
  override readonly dialect = "postgresql";

  constructor(readonly connection: Kysely<Tables>) {
    super();
  }

  run<T>(_: TransactionSettings, work: (connection: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.connection.transaction().execute(work);
  }

  override execute(connection: Kysely<Tables>, text: string): Promise<unknown> {
    return sql.raw(text).execute(connection);
  }

  override async query(connection: Kysely<Tables>, text: string, values: readonly unknown[]) {
    const { rows } = await connection.executeQuery(CompiledQuery.raw(text, [...values]));
    return rows as Record<string, unknown>[];
  }
}

Deno.test({
  name: "jobs + Kysely: follow its transactions (PostgreSQL)",
  ignore: postgresqlMissing !== undefined,
  async fn() {
    await using database = await jobDatabase();
    const { host, port, username: user, password, database: name } = database.datasource;
    const pool = new pg.Pool({ host, port, user, password: password?.reveal(), database: name });
    const manager = new Database(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
    @Service()
    class Effects {
      @Job("effect")
      async run({ note }: { readonly note: string }, { id: job }: JobRun): Promise<void> {
        await current(manager).insertInto("effects").values({ job, note }).execute();
      }
    }
    const app = await bootstrap({ components: [Effects], extensions: [jobs({ manager })] });
    const bean = app.context.get(Jobs);
    await transactional({ manager }, () => bean.enqueue("effect", { note: "kept" }));
    await assertRejects(() =>
      transactional({ manager }, async () => {
        await bean.enqueue("effect", { note: "lost" });
        throw new Error("no");
      })
    );
    assertEquals(await bean.drain(), { completed: 1, failed: 0, dead: 0 });
    assertEquals(await database.query("SELECT note FROM effects"), [{ note: "kept" }]);
    await app.close();
    await pool.end();
  },
});
