import { Bean, type Config, Configuration, inject } from "irori";
import { PgTransactions } from "irori/transactions";
import pg from "pg";

@Configuration()
export class Connections {
  @Bean({ type: pg.Pool, destroy: "end" })
  pool(): pg.Pool {
    const url = inject<Config>("config").required("datasource[0].url");
    const pool = new pg.Pool({ connectionString: url });
    // Without a listener, the error of an idle connection ends the process.
    pool.on("error", (error) => console.error(`A connection was lost: ${error.message}`));
    return pool;
  }

  @Bean({ type: PgTransactions })
  transactions(): PgTransactions {
    return new PgTransactions(inject(pg.Pool));
  }
}
