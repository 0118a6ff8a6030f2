import type { Datasource } from "../datasource.ts";
import { DatabaseError } from "../errors.ts";
import type { Statement } from "../syntax/splitter.ts";
import type {
  Command,
  Database,
  SqlEnvironment,
  SqlMigration,
  Table,
  Transactions,
} from "../types.ts";
import { waitFor } from "../wait.ts";
import { connectPostgresql, inline, type PostgresqlConnection } from "./_postgresql_driver.ts";
import { ENDED_TRANSACTION } from "./_transactions.ts";

/** Connects to PostgreSQL. */
export async function openPostgresql(
  datasource: Datasource,
  environment: SqlEnvironment,
): Promise<Database> {
  const work = await connectPostgresql(datasource, environment, datasource);
  return new PostgresqlDatabase(work, datasource, environment);
}

/** One lock for a database: its history table is one, however many connections share it. The bytes of "irori". */
const LOCK = 0x69726f7269;
const HOLDERS = "SELECT a.pid, a.usename, a.application_name, a.client_addr " +
  "FROM pg_locks l JOIN pg_stat_activity a USING (pid) JOIN pg_database d ON d.oid = l.database " +
  "WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database() " +
  `AND (l.classid::bigint << 32) + l.objid::bigint = ${LOCK}`;
/** Takes the lock, and a time limit off that would end an idle session and the lock with it. */
const TRY_LOCK = `SELECT pg_try_advisory_lock(${LOCK}) AS locked, ` +
  "(SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout')";
/** What a file may have set, taken back before its record is written … */
const RESET_SETTINGS = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL";
/** … and what else it may have left in its session. `DISCARD ALL` cannot stand behind a COMMIT in one text. */
const DISCARD = "DISCARD TEMP; DISCARD SEQUENCES; DEALLOCATE ALL; CLOSE ALL; UNLISTEN *; " +
  "SELECT pg_advisory_unlock_all()";

class PostgresqlDatabase implements Database, Transactions {
  readonly transactions = this;
  requests = 0;
  /** Keeps the lock, outside of any transaction: inside, CREATE INDEX CONCURRENTLY would wait for it. */
  #guard: PostgresqlConnection | undefined;
  #transaction: unknown;
  /** Whether the file in hand may change its session. */
  #leavesTraces = true;

  constructor(
    private readonly work: PostgresqlConnection,
    private readonly datasource: Datasource,
    private readonly environment: SqlEnvironment,
  ) {}

  select(query: Command): Promise<Table> {
    return this.#send(this.work, inline(query));
  }

  async write(commands: readonly Command[]): Promise<void> {
    if (commands.length === 0) return;
    // Statements of one text are one transaction.
    await this.#send(this.#guard ?? this.work, commands.map(inline).join(";\n"));
  }

  async isLocked(): Promise<boolean> {
    return (await this.#send(this.work, HOLDERS)).rows.length > 0;
  }

  async lock(): Promise<void> {
    const guard = await connectPostgresql(this.datasource, this.environment);
    try {
      const take = async () => (await this.#send(guard, TRY_LOCK)).rows[0]?.locked === true;
      if (!await waitFor(take, this.environment.lockTimeoutMs)) {
        const [holder] = (await this.#send(guard, HOLDERS)).rows;
        throw new DatabaseError("busy", lockedBy(holder, this.environment.lockTimeoutMs));
      }
      this.#guard = guard;
    } catch (error) {
      await guard.close();
      throw error;
    }
  }

  async unlock(): Promise<void> {
    await this.#guard?.close();
    this.#guard = undefined;
  }

  /** The message that brings the file begins the transaction too. */
  begin(): Promise<void> {
    return Promise.resolve();
  }

  async run({ script, statements }: SqlMigration): Promise<void> {
    this.#checkLock();
    this.#leavesTraces = !isPlain(statements, script.text);
    this.requests++;
    const { rows: [row] } = await this.work.sendAfter(["BEGIN", TRANSACTION_ID], script.text);
    this.#transaction = row?.id;
  }

  async commit(record: Command): Promise<void> {
    const ended = new DatabaseError("ended transaction", ENDED_TRANSACTION);
    if (!this.work.isInTransaction()) throw ended;
    // In one message: a division by zero keeps what follows it from being done.
    const check = `SELECT 1 / (pg_current_xact_id()::text = '${this.#transaction}')::int`;
    const end = this.#leavesTraces
      ? `${RESET_SETTINGS}; ${inline(record)}; COMMIT; ${DISCARD}`
      : `${inline(record)}; COMMIT`;
    try {
      await this.#send(this.work, `${check}; ${end}`);
    } catch (error) {
      const isCheck = error instanceof DatabaseError && error.completed === 0 &&
        error.code === DIVISION_BY_ZERO;
      throw isCheck ? ended : error;
    }
  }

  async rollback(): Promise<void> {
    if (this.work.isLost() || !this.work.isInTransaction()) return;
    await this.#send(this.work, "ROLLBACK").catch(() => {});
  }

  async step(statement: Statement): Promise<{ readonly open: boolean }> {
    this.#checkLock();
    try {
      await this.#send(this.work, statement.text);
    } catch (error) {
      throw withAdvice(error, statement);
    }
    return { open: this.work.isInTransaction() };
  }

  async endSteps(): Promise<void> {
    await this.rollback();
    if (!this.work.isLost()) await this.#send(this.work, "DISCARD ALL").catch(() => {});
  }

  async close(): Promise<void> {
    await this.unlock();
    await this.work.close();
  }

  #send(connection: PostgresqlConnection, sql: string): Promise<Table> {
    this.requests++;
    return connection.send(sql);
  }

  #checkLock(): void {
    if (!this.#guard?.isLost()) return;
    throw new DatabaseError("lost", "the connection that held the lock has ended");
  }
}

const DIVISION_BY_ZERO = "22012";
const TRANSACTION_ID = "SELECT pg_current_xact_id()::text AS id";

/** Statements that leave their session as it was. */
const PLAIN = new Set([
  "CREATE",
  "ALTER",
  "DROP",
  "INSERT",
  "UPDATE",
  "DELETE",
  "COMMENT",
  "GRANT",
]);
/** What makes them do otherwise. */
const TRACES = /temp|set_config|advisory/i;

function isPlain(statements: readonly Statement[], text: string): boolean {
  return statements.every(({ words: [first = ""] }) => PLAIN.has(first)) && !TRACES.test(text);
}

function lockedBy(holder: Readonly<Record<string, unknown>> | undefined, waitedMs: number): string {
  const waited = `Waited ${waitedMs / 1000} s for another run`;
  if (holder === undefined) return waited;
  const { application_name: name, pid, usename: user, client_addr: address } = holder;
  return `${waited}: '${name}' (process ${pid} of the server, user '${user}'${
    address ? ` from ${address}` : ""
  })`;
}

function withAdvice(error: unknown, { words }: Statement): unknown {
  if (!(error instanceof DatabaseError) || !words.includes("CONCURRENTLY")) return error;
  const hint = "It may have left an invalid index behind: drop that before the next run";
  return new DatabaseError(error.kind, error.message, { ...error, hints: [...error.hints, hint] });
}
