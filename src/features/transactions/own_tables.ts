import { errorOf } from "../../text/mod.ts";
import { TransactionError } from "./errors.ts";
import type { Dialect, TransactionManager } from "./manager.ts";
import { transactional, type Work } from "./transactional.ts";
import { transactionOf } from "./_transaction.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What {@linkcode OwnTable} is made for. */
export interface OwnTableUse {
  /** What needs the table, such as `@Scheduled`. */
  readonly feature: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The name with which `irori new` writes the migration. */
  readonly schema: string;
}

/** A table that the library keeps in the database of an application. Its rows have strings, numbers and `null` only. */
export class OwnTable {
  readonly dialect: Dialect;

  constructor(readonly manager: TransactionManager, readonly use: OwnTableUse) {
    const { dialect, query } = manager;
    if (!dialect || !query) {
      throw new TransactionError(
        `Cannot use ${use.feature} with '${manager.constructor.name}': expected a transaction manager with 'dialect' ` +
          "and query(), see 'ORMs' in the guide of transactions",
      );
    }
    this.dialect = dialect;
  }

  async query(
    sql: string,
    ...values: readonly (string | number | null)[]
  ): Promise<readonly Row[]> {
    const { manager } = this;
    const transaction = transactionOf(manager);
    transaction?.requireOpen();
    const connection = transaction ? transaction.connection : manager.connection;
    return await manager.query!(connection, placeholders(sql, this.dialect), values);
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
    await this.query(`SELECT ${columns.join(", ")} FROM ${table} WHERE 1 = 0`).catch((cause) => {
      if (cause instanceof TransactionError) throw cause;
      throw new TransactionError(
        `Cannot use ${feature}: the table '${table}' cannot be read: ${
          errorOf(cause).message
        }; if it or a column is ` +
          `missing, write its migration with 'irori new ${schema}' and apply it with 'irori migrate'`,
        { cause },
      );
    });
  }

  /** Milliseconds since 1970 by the clock of the database, as SQL. */
  get now(): string {
    return NOW[this.dialect];
  }

  /** What locks the rows of a SELECT until the end of the transaction; SQLite locks all. */
  get forUpdate(): string {
    return this.dialect === "sqlite" ? "" : " FOR UPDATE";
  }
}

const NOW: Readonly<Record<Dialect, string>> = {
  postgresql: "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)",
  // Independent of the time zone of the session.
  mysql: "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
  sqlite: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
};

/** Own statements have no `?` in literals. */
function placeholders(sql: string, dialect: Dialect): string {
  let count = 0;
  return dialect === "postgresql" ? sql.replace(/\?/g, () => `$${++count}`) : sql;
}
