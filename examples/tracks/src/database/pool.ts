import { Bean, type Config, Configuration, inject } from "irori";
import { PgTransactions } from "irori/transactions";
import pg from "pg";

/** The connections, to the database that the migrations are applied to. */
@Configuration()
export class Connections {
  @Bean({ type: pg.Pool, destroy: "end" })
  pool(): pg.Pool {
    const config = inject<Config>("config");
    const pool = new pg.Pool({
      connectionString: config.string("datasource[0].url"),
      connectionTimeoutMillis: 5000,
      types: { getTypeParser },
    });
    // An 'error' event without a listener ends the process.
    pool.on("error", (error) => console.error(`A connection was lost: ${error.message}`));
    return pool;
  }

  @Bean({ type: PgTransactions })
  transactions(): PgTransactions {
    return new PgTransactions(inject(pg.Pool));
  }
}

/** Ids and counts are `BIGINT`, which the driver gives as texts: these stay far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (
  type: number,
  format?: "text" | "binary",
) => type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format);
