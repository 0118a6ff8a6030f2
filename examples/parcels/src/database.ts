import { Bean, type Config, Configuration, inject } from "irori";
import { SqliteTransactions } from "irori/transactions";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

@Configuration()
export class Connections {
  @Bean({ type: DatabaseSync })
  database(): DatabaseSync {
    const config = inject<Config>("config");
    return new DatabaseSync(resolve(config.root, config.required("parcels.database")));
  }

  @Bean({ type: SqliteTransactions })
  transactions(): SqliteTransactions {
    return new SqliteTransactions(inject(DatabaseSync));
  }
}
