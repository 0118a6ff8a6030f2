/** One replica of an application, whose handler inserts a row; for `kills_test.ts`. */
import mysql from "npm:mysql2@^3.24.0/promise";
import pg from "npm:pg@^8.23.0";
import {
  Bean,
  bootstrap,
  Configuration,
  inject,
  PostMapping,
  RequestBody,
  RestController,
} from "../../../mod.ts";
import { idempotency, Idempotent } from "../../../src/features/idempotency/mod.ts";
import {
  current,
  MysqlTransactions,
  PgTransactions,
  TransactionManager,
} from "../../../src/features/transactions/mod.ts";

const url = Deno.env.get("KILLS_URL")!;
const pool = url.startsWith("mysql") ? undefined : new pg.Pool({ connectionString: url, max: 8 });
pool?.on("error", () => {});

@Configuration()
class Connections {
  @Bean({ type: TransactionManager })
  transactions(): TransactionManager {
    const manager = pool
      ? new PgTransactions(pool)
      : new MysqlTransactions(mysql.createPool({ uri: url, connectionLimit: 8 }) as never);
    return manager as TransactionManager;
  }
}

@RestController()
class PaymentController {
  readonly #database = inject(TransactionManager);

  @Idempotent()
  @PostMapping("/payments", RequestBody())
  async pay(payment: unknown): Promise<unknown> {
    const { round } = payment as { round: number };
    const id = crypto.randomUUID();
    const connection = current(this.#database) as { query(sql: string): Promise<unknown> };
    await connection.query(`INSERT INTO payments VALUES ('${id}', ${Number(round)})`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { id };
  }
}

const app = await bootstrap({
  root: import.meta.dirname!,
  config: { server: { port: 0, address: "127.0.0.1" }, "component-scan": [] },
  components: [Connections, PaymentController],
  extensions: [idempotency()],
});
console.log(`at ${(await app.listen()).url}`);
