/** One replica of an application with tasks, which writes down each start; for `rounds_test.ts`. */
import mysql from "npm:mysql2@^3.24.0/promise";
import pg from "npm:pg@^8.23.0";
import { Bean, bootstrap, Configuration, Service } from "../../../mod.ts";
import { Scheduled, scheduling } from "../../../src/features/scheduling/mod.ts";
import {
  MysqlTransactions,
  PgTransactions,
  TransactionManager,
} from "../../../src/features/transactions/mod.ts";

const url = Deno.env.get("ROUNDS_URL")!;
const isMysql = url.startsWith("mysql");
const clients = isMysql
  ? mysql.createPool({ uri: url, connectionLimit: 4 })
  : new pg.Pool({ connectionString: url, max: 4 });
if (clients instanceof pg.Pool) clients.on("error", () => {});
console.error = () => {};

@Configuration()
class Connections {
  @Bean({ type: TransactionManager })
  transactions(): TransactionManager {
    const manager = clients instanceof pg.Pool
      ? new PgTransactions(clients)
      : new MysqlTransactions(clients as never);
    return manager as TransactionManager;
  }
}

@Service()
class Tasks {
  @Scheduled({ every: 1, name: "fast" })
  fast() {
    return this.#started("fast");
  }

  @Scheduled({ cron: "*/2 * * * * *", catchUp: "once", name: "cron" })
  cron() {
    return this.#started("cron");
  }

  @Scheduled({ fixedDelay: 0.5, name: "delay" })
  delay() {
    return this.#started("delay");
  }

  @Scheduled({ every: 3, name: "long" })
  async long(signal: AbortSignal) {
    await this.#started("long");
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, 4000);
    signal.addEventListener("abort", () => resolve());
    await promise;
    clearTimeout(timer);
  }

  async #started(task: string): Promise<void> {
    const sql = `INSERT INTO starts VALUES ('${task}', '${Deno.pid}')`;
    await (clients as { query(sql: string): Promise<unknown> }).query(sql);
  }
}

const app = await bootstrap({
  root: import.meta.dirname!,
  config: { server: { port: 0, address: "127.0.0.1" }, "component-scan": [] },
  components: [Connections, Tasks],
  extensions: [scheduling({ lease: 2 })],
});
await app.listen();
