import { Bean, type Config, Configuration, inject } from "irori";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database as Tables } from "./tables.ts";

@Configuration()
export class Connections {
  @Bean({ type: pg.Pool, destroy: false }) // Kysely ends it.
  pool(): pg.Pool {
    const connectionString = inject<Config>("config").required(
      "datasource[0].url",
    );
    const pool = new pg.Pool({
      connectionString,
      max: 10,
      connectionTimeoutMillis: 5000,
    });
    // An 'error' event without a listener ends the process: of an idle connection, and of one in a transaction.
    pool.on(
      "connect",
      (client: pg.PoolClient) => void client.on("error", () => {}),
    );
    return pool.on("error", (error: Error) => console.error(error.message));
  }

  @Bean({ type: Kysely, destroy: "destroy" })
  kysely(): Kysely<Tables> {
    return new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: inject(pg.Pool) }),
    });
  }
}
