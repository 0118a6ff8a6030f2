import { Component, HttpError, HttpStatus, inject } from "irori";
import { currentUser } from "irori/security";
import { type PgConnection, PgTransactions, type TransactionSettings } from "irori/transactions";
import pg from "pg";
import type { Member } from "./tenant.ts";

/** Transactions in the schema of the user's tenant. PostgreSQL forgets it at their end. */
@Component()
export class TenantTransactions extends PgTransactions {
  constructor() {
    super(inject(pg.Pool));
  }

  override run<T>(
    settings: TransactionSettings,
    work: (connection: PgConnection) => Promise<T>,
  ): Promise<T> {
    const schema = currentUser<Member>()?.schema;
    if (!schema) {
      throw new HttpError(HttpStatus.FORBIDDEN, "You belong to no tenant");
    }
    return super.run(settings, async (connection) => {
      await connection.query("SELECT set_config('search_path', $1, true)", [
        schema,
      ]);
      return await work(connection);
    });
  }
}
