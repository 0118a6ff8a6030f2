import { Autowired, Component } from "irori";
import { current, PgTransactions } from "irori/transactions";

/** Queries, each on a connection of its own or on that of the transaction. */
@Component()
export class Database {
  @Autowired(PgTransactions)
  private readonly transactions!: PgTransactions;

  /** @returns the rows, with the names of the columns as keys */
  async query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await current(this.transactions).query<Row>(text, values)).rows;
  }
}
