import { connectionOf } from "./_connections.ts";
import { type Client, DriverTransactions, type ManagerOptions } from "./_driver.ts";
import { rolledBack } from "./errors.ts";
import { modesOf } from "./options.ts";

/** Runs statements of PostgreSQL, as a client of `pg` does. */
export interface PgConnection {
  /** Runs a text with values, or a query such as `{ text, values, name }`. */
  // deno-lint-ignore no-explicit-any -- as the driver has it: what a column holds is not known
  query<Row extends object = any>(
    query: string | { readonly text: string },
    values?: readonly unknown[],
  ): Promise<PgResult<Row>>;
}

/** The result of a statement of PostgreSQL. */
export interface PgResult<Row> {
  /** Its rows. */
  readonly rows: Row[];
  /** How many rows it read or changed. */
  readonly rowCount: number | null;
  /** Its first word. */
  readonly command: string;
}

/** @internal */
interface PgClient extends Client {
  on(event: "error", listener: (error: unknown) => void): unknown;
  off(event: "error", listener: (error: unknown) => void): unknown;
  getTransactionStatus?(): string | null;
}

/** @internal */
interface PgPool {
  connect(): Promise<PgClient>;
  readonly options?: { readonly max?: number };
}

/**
 * Transactions of PostgreSQL on a `Pool` of `pg` or `@neondatabase/serverless`.
 *
 * ```ts ignore
 * @Bean({ type: PgTransactions })
 * transactions() { return new PgTransactions(inject(pg.Pool)); }
 * ```
 */
export class PgTransactions extends DriverTransactions<PgConnection, PgClient> {
  override readonly dialect = "postgresql";

  constructor(override readonly pool: PgPool, { acquireTimeout }: ManagerOptions = {}) {
    super({
      async connect(manager) {
        const client = await connectionOf(
          pool.connect(),
          manager,
          acquireTimeout,
          pool.options?.max,
        );
        client.on("error", ignore);
        return client;
      },
      disconnect(client, isBroken) {
        if (!isBroken) client.off("error", ignore);
        client.release(isBroken);
      },
      connectionBy: (run) => ({
        query: (query, values) => run((client) => client.query(query, values)),
      }),
      execute: (connection, sql) => connection.query(sql),
      query: async (connection, sql, values) => (await connection.query(sql, values)).rows,
      beginning(settings) {
        const { timeout, first } = settings;
        const limit = timeout ? `; SET LOCAL statement_timeout = ${Math.ceil(timeout * 1000)}` : "";
        return [`BEGIN${modesOf(settings)}${limit}${first ? `; ${first}` : ""}`]; // One message.
      },
      isEndedBy: (_, client) => client.getTransactionStatus?.() === "I",
      // Answered by ROLLBACK after a statement has failed.
      requireCommitted(answer) {
        if ((answer as PgResult<unknown>).command === "COMMIT") return;
        throw rolledBack("a statement in it failed, and its error was caught");
      },
    });
  }
}

/** A connection that is lost emits this beside the failure of its statement; without a listener it ends the process. */
function ignore(): void {}
