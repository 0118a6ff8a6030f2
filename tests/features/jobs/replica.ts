/** An application that runs jobs until it is killed: `DATABASE_URL` names its database. */
import pg from "npm:pg@^8.23.0";
import { Bean, bootstrap, Configuration, inject, Service } from "irori";
import { Job, type JobRun, Jobs, jobs } from "irori/jobs";
import { current, PgTransactions } from "irori/transactions";
import { IMPATIENT } from "./settings.ts";

@Configuration()
class Connections {
  @Bean({ type: PgTransactions, destroy: false })
  database(): PgTransactions {
    const pool = new pg.Pool({ connectionString: Deno.env.get("DATABASE_URL"), max: 8 });
    pool.on("error", () => {});
    return new PgTransactions(pool);
  }
}

@Service()
export class Effects {
  readonly database = inject(PgTransactions);
  readonly jobs = inject(Jobs);

  /** Runs longer than its time at times, fails at times, and enqueues another job. */
  @Job("first", { retry: 1000, backoff: { delay: 1, max: 1 }, concurrency: 4, timeout: 2 })
  async first({ n }: { readonly n: number }, { id }: JobRun): Promise<void> {
    await this.write(id, `first ${n}`);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 500));
    if (Math.random() < 0.1) throw new Error("by chance");
    await this.jobs.enqueue("second", { n });
  }

  @Job("second", { retry: 1000, backoff: { delay: 1, max: 1 }, concurrency: 2, timeout: 2 })
  async second({ n }: { readonly n: number }, { id }: JobRun): Promise<void> {
    await this.write(id, `second ${n}`);
  }

  async write(job: string, note: string): Promise<void> {
    const sql = "INSERT INTO effects (job, note) VALUES ($1, $2)";
    await current(this.database).query(sql, [job, note]);
  }
}

/** Also enqueues for the test, where it does not listen. */
export async function replica() {
  return await bootstrap({
    components: [Connections, Effects],
    extensions: [
      jobs({ pollingInterval: 0.5, engine: IMPATIENT }),
      () => ({ log: () => {}, info: () => {} }),
    ],
    config: { server: { address: "127.0.0.1", port: 0 } },
  });
}

if (import.meta.main) {
  console.error = () => {};
  const app = await replica();
  await app.listen();
  console.log("ready");
}
