import { Component, inject } from "irori";
import { TransactionManager, type TransactionSettings } from "irori/transactions";
import { Kysely, sql } from "kysely";
import type { Database as Tables } from "./tables.ts";

/** Lets `@Transactional()` open the transactions of Kysely; `current(database)` is the connection for a query. */
@Component()
export class Database extends TransactionManager<Kysely<Tables>> {
  readonly connection: Kysely<Tables> = inject<Kysely<Tables>>(Kysely);

  run<T>(
    { isolation, readOnly }: TransactionSettings,
    work: (connection: Kysely<Tables>) => Promise<T>,
  ): Promise<T> {
    let transaction = this.connection.transaction();
    if (isolation) transaction = transaction.setIsolationLevel(isolation);
    if (readOnly) transaction = transaction.setAccessMode("read only");
    return transaction.execute(work);
  }

  override execute(connection: Kysely<Tables>, text: string): Promise<unknown> {
    return sql.raw(text).execute(connection);
  }
}
