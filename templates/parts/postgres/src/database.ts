import { Bean, type Config, Configuration, inject } from "irori";
import { PgTransactions } from "irori/transactions";
// @ts-types="@types/pg" // {{?deno}}
import pg from "pg";

/** The connections of the application. */
@Configuration()
export class Database {
  @Bean({ type: pg.Pool, destroy: "end" })
  pool(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: inject<Config>("config").string("datasource[0].url"),
    });
    // Without a listener, the error of an idle connection ends the process.
    pool.on("error", (error) => console.error(`A connection was lost: ${error.message}`));
    return pool;
  }

  @Bean({ type: PgTransactions })
  transactions(): PgTransactions {
    return new PgTransactions(inject(pg.Pool));
  }
}
