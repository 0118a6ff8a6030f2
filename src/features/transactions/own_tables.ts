import { errorOf } from "../../text/mod.ts";
import { TransactionError } from "./errors.ts";
import type { Dialect, TransactionManager } from "./manager.ts";
import { transactional, type Work } from "./transactional.ts";
import { transactionOf } from "./_transaction.ts";

export type Row = Readonly<Record<string, unknown>>;

/** The use that an {@linkcode OwnTable} is made for. */
interface OwnTableUse {
  /** The feature that needs the table, such as `@Scheduled`. */
  readonly feature: string;
  readonly table: string;
  readonly columns: string;
  /** The name with which `irori new` writes the migration. */
  readonly schema: string;
}

/** A table that the library keeps in the database of an application. Its rows have strings, numbers and `null` only. */
export class OwnTable {
  readonly dialect: Dialect;
  readonly sql: typeof SQL[Dialect];

  constructor(readonly manager: TransactionManager, readonly use: OwnTableUse) {
    const { dialect, query } = manager;
    if (!dialect || !query || !Object.hasOwn(SQL, dialect)) {
      throw new TransactionError(
        `Cannot use ${use.feature} with '${manager.constructor.name}': expected a transaction manager with 'dialect' ` +
          "and query(), see 'ORMs' in the guide of transactions",
      );
    }
    this.dialect = dialect;
    this.sql = SQL[dialect];
  }

  async query(
    sql: string,
    ...values: readonly (string | number | null)[]
  ): Promise<readonly Row[]> {
    const { manager } = this;
    const transaction = transactionOf(manager);
    transaction?.requireOpen();
    const connection = transaction ? transaction.connection : manager.connection;
    return await manager.query!(connection, this.#placed(sql), values);
  }

  #placed(sql: string): string {
    let count = 0;
    return sql.replace(/\?/g, () => this.sql.placeholder(++count));
  }

  get isInTransaction(): boolean {
    return transactionOf(this.manager)?.isOver === false && !this.isInTest;
  }

  /** Whether it is used in `rollbackAfter()`, whose transaction stands for the database. */
  get isInTest(): boolean {
    return transactionOf(this.manager)?.isTest === true;
  }

  transaction<T>(work: Work<T>): Promise<T> {
    return transactional({ manager: this.manager }, work);
  }

  /** @throws {TransactionError} when the table or a column is missing, or must not be read */
  async check(): Promise<void> {
    const { feature, table, columns, schema } = this.use;
    await this.query(`SELECT ${columns} FROM ${table} WHERE 1 = 0`).catch((cause) => {
      if (cause instanceof TransactionError) throw cause;
      const reason = `the table '${table}' cannot be read: ${errorOf(cause).message}`;
      const hint =
        `write its migration with 'irori new ${schema}' and apply it with 'irori migrate'`;
      const message = `Cannot use ${feature}: ${reason}; if it or a column is missing, ${hint}`;
      throw new TransactionError(message, { cause });
    });
  }
}

/**
 * The forms by engine in statements of the library, which have no `?` in literals: milliseconds since 1970 by the clock of the
 * database, what locks the rows of a SELECT until the end of the transaction (SQLite locks all), and an INSERT that does
 * nothing where there is such a row.
 */
const SQL = {
  postgresql: {
    now: "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)",
    forUpdate: " FOR UPDATE",
    insertNew: ["INSERT", " ON CONFLICT DO NOTHING"],
    placeholder: (at: number) => `$${at}`,
  },
  mysql: {
    // Independent of the time zone of the session.
    now: "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
    forUpdate: " FOR UPDATE",
    insertNew: ["INSERT IGNORE", ""],
    placeholder: () => "?",
  },
  sqlite: {
    now: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
    forUpdate: "",
    insertNew: ["INSERT", " ON CONFLICT DO NOTHING"],
    placeholder: () => "?",
  },
} as const;
