import { hexDigest, oneLine } from "../../../../text/mod.ts";
import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError, withDetails } from "../../errors.ts";
import { TABLE } from "../../journal/records.ts";
import { redactor } from "../../connect/secret.ts";
import type { Statement } from "../../syntax/grammar.ts";
import type {
  Command,
  Database,
  HistoryTypes,
  LockingSession,
  LockWait,
  OpenDatabase,
  Reading,
  SessionFacts,
  SqlEnvironment,
  SqlMigration,
  Steps,
  Table,
  WriteOptions,
} from "../../types.ts";
import { connectMysql, type MysqlConnection } from "./driver.ts";
import { backquoted, isNamed } from "../../files/quoting.ts";
import { lockingSession } from "../shared/connections.ts";
import { cannotUse, lostLock, overtaken } from "../shared/own_errors.ts";

export const openMysql: OpenDatabase = async (datasource, environment) => {
  const work = await connectMysql(datasource, environment);
  return new MysqlDatabase(work, await lockNames(datasource), datasource, environment);
};

/** At most 64 characters. The session that files run in holds the mark: the server still works on one. */
async function lockNames({ database }: Datasource) {
  const name = /^[^'\\]{1,57}$/.test(database)
    ? database
    : (await hexDigest(database)).slice(0, 40);
  return { run: `irori:${name}`, mark: `irori+${name}` };
}

const TYPES: HistoryTypes = {
  path: "VARCHAR(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
  name: "VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
  hash: "VARCHAR(64) CHARACTER SET ascii",
  time: "DATETIME(3)",
  text: "VARCHAR(255) CHARACTER SET utf8mb4",
  duration: "BIGINT",
  integer: "INT",
  suffix: " ENGINE=InnoDB",
  addsSeveral: true,
};

/**
 * Two connections: one that files run on, and one that keeps the lock and writes the records. So these depend on nothing
 * that a file does to its session, such as `LOCK TABLES`, `USE` or `SET autocommit`.
 */
class MysqlDatabase implements Database, Steps {
  readonly types = TYPES;
  readonly steps = this;
  readonly table: string;
  requests = 0;
  facts: SessionFacts = {};
  #guard: MysqlConnection | undefined;
  #isFirst = true;
  readonly #redact: (text: string) => string;

  constructor(
    private readonly work: MysqlConnection,
    private readonly locks: Awaited<ReturnType<typeof lockNames>>,
    private readonly datasource: Datasource,
    private readonly environment: SqlEnvironment,
  ) {
    this.table = `${backquoted(datasource.database)}.${TABLE}`;
    this.#redact = redactor(datasource);
  }

  async read(before: readonly Command[] = []): Promise<Reading> {
    await this.write(before);
    const facts = "FIND_IN_SET('ANSI_QUOTES', @@sql_mode) AS irori_quotes, " +
      "FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode) AS irori_plain, " +
      `${this.#guard ? `IS_USED_LOCK('${this.locks.mark}')` : "NULL"} AS irori_orphan`;
    let table: Table | undefined;
    try {
      table = await this.#execute(
        `${limited(this.#seconds())} ${facts}, h.* FROM (SELECT 1) irori_one ` +
          `LEFT JOIN (SELECT 1 AS irori_row, t.* FROM ${this.table} t) h ON 1 = 1`,
      );
    } catch (error) {
      const isMissing = error instanceof DatabaseError && error.code === "ER_NO_SUCH_TABLE";
      if (!isMissing) throw this.#ownError(error);
    }
    const { rows: [row = {}] } = table ?? await this.#execute(`SELECT ${facts}`);
    this.facts = {
      strings: {
        ansiQuotes: Number(row.irori_quotes) > 0,
        backslashes: Number(row.irori_plain) === 0,
      },
    };
    const orphan = row.irori_orphan === null ? undefined : await this.orphan();
    return {
      ...(table && { table: withoutFacts(table) }),
      ...(orphan !== undefined && { orphan }),
    };
  }

  async write(
    commands: readonly Command[],
    { isRehearsal = false }: WriteOptions = {},
  ): Promise<void> {
    // A run that is killed leaves all of them or none; a single one is a transaction by itself.
    const isTransaction = commands.length > 1;
    let current: Command | undefined;
    try {
      if (isTransaction) await this.#execute("START TRANSACTION");
      for (current of commands) {
        const { matched } = await this.#execute(current.sql, current.values);
        if (current.fence !== undefined && matched !== 1) throw overtaken(current);
        const { kept } = current;
        // A rehearsal sees it by its next change.
        const look = kept && !isRehearsal && `SELECT 1 ${kept.sql}`;
        const isKept = !look || (await this.#execute(look, kept.values)).rows.length === 1;
        if (!isKept) throw overtaken(current);
      }
      current = undefined;
      if (isTransaction) await this.#execute(isRehearsal ? "ROLLBACK" : "COMMIT");
      if (!isRehearsal) return;
      // Engines without transactions keep the row.
      const remove = `DELETE FROM ${this.table} WHERE migration_path = ?`;
      await this.#execute(remove, [commands[0]!.fence!]).catch(() => {});
    } catch (error) {
      if (isTransaction) await this.#execute("ROLLBACK").catch(() => {});
      throw this.#ownError(error, current);
    }
  }

  async query(sql: string, waitMs?: number): Promise<Table> {
    const start = waitMs === undefined ? "SELECT" : limited(wholeSeconds(waitMs));
    return await this.#execute(sql.replace(/^SELECT/, start), [], this.work);
  }

  readonly obstacle = (): Promise<undefined> => Promise.resolve(undefined);
  readonly transactions = (): undefined => undefined;
  /** Nothing can be taken back. */
  readonly undo = (): Promise<void> => Promise.resolve();

  async tryLock(): Promise<boolean> {
    const guard = this.#guard ?? await connectMysql(this.datasource, this.environment);
    try {
      if (this.#guard === undefined) await this.#prepare(guard);
      this.#guard = guard;
      const query = "SELECT GET_LOCK(?, 0) AS locked";
      const { rows: [row] } = await this.#execute(query, [this.locks.run]);
      if (Number(row?.locked) === 1) return true;
      // The session that files run on is idle as long as this waits.
      await this.#execute(`SET SESSION ${LONGEST_WAIT}`, [], this.work);
      return false;
    } catch (error) {
      this.#guard = undefined;
      await guard.close();
      throw error;
    }
  }

  async holder(): Promise<string | undefined> {
    const holder = await this.#processOf(this.locks.run);
    if (holder === undefined) return undefined;
    const who = holder.user === null ? "" : `, user '${holder.user}' from ${holder.host}`;
    return `connection ${holder.id} of the server${who}`;
  }

  /** The records are written on the connection that has the lock: the next one asks it. */
  // deno-lint-ignore require-await -- a throw has to become a rejection
  async ensureHeld(): Promise<void> {
    if (this.#guard === undefined || this.#guard.isLost()) throw lostLock();
  }

  async unlock(): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (guard === undefined) return;
    // The server would give it back some time after the connection has ended.
    if (!guard.isLost()) {
      await this.#execute("DO RELEASE_LOCK(?)", [this.locks.run], guard).catch(() => {});
    }
    await guard.close();
  }

  async orphan(): Promise<string | undefined> {
    const found = await this.#processOf(this.locks.mark);
    if (found === undefined) return undefined;
    return `connection ${found.id} of the server still runs ${this.#workOf(found)}`;
  }

  #workOf({ info }: Readonly<Record<string, unknown>>): string {
    return info == null ? "a file" : `'${oneLine(this.#redact(`${info}`))}'`;
  }

  async endOrphan(_path: string, isBegun: boolean): Promise<string | undefined> {
    const found = isBegun ? await this.#processOf(this.locks.mark) : undefined;
    if (found === undefined) return undefined;
    try {
      // The session that has the mark when it is sent.
      await this.#execute(`KILL IS_USED_LOCK('${this.locks.mark}')`);
    } catch (error) {
      const isGone = error instanceof DatabaseError && error.code === "ER_NO_SUCH_THREAD";
      if (!isGone) throw error;
    }
    return `connection ${found.id} of the server, which still ran ${this.#workOf(found)}`;
  }

  /** For rows the server names the session that holds them; for tables it does not, so open transactions are named. */
  async lockWait(): Promise<LockWait | undefined> {
    const { id } = this.work;
    const state = "SELECT STATE FROM information_schema.PROCESSLIST WHERE ID = ?";
    const { rows: [row] } = await this.#execute(state, [id]);
    if (row === undefined) return undefined;
    if (/(?:metadata|table level|backup|global read) lock/i.test(`${row.STATE}`)) {
      const holders = await this.#holders(OPEN_TRANSACTIONS, id);
      return { lock: "the lock of a table", holders, isCertain: false };
    }
    for (const holding of HOLDING_ROWS) {
      const holders = await this.#holders(`${OPEN_TRANSACTIONS} AND ${holding}`, id, id);
      if (holders.length > 0) return { lock: "rows", holders, isCertain: true };
    }
  }

  /** Nothing where this user may not ask, or the server has no such table. */
  async #holders(sql: string, ...values: readonly number[]): Promise<readonly LockingSession[]> {
    return await this.#execute(`${sql} ORDER BY t.trx_started`, values)
      .then(({ rows }) => rows.map((row) => lockingSession("connection", row.id, row)), () => []);
  }

  async begin({ lockTimeoutMs }: SqlMigration): Promise<void> {
    const seconds = lockTimeoutMs === undefined ? undefined : wholeSeconds(lockTimeoutMs);
    const settings = [
      // With the server's collation; the driver, which relies on the last value, receives it again.
      "NAMES utf8mb4",
      `@irori = GET_LOCK('${this.locks.mark}', 0)`,
      // Where the server's default is 0, any statement would begin a transaction.
      "SESSION autocommit = 1",
      ...seconds === undefined ? [] : limitsOf(seconds).map((limit) => `SESSION ${limit}`),
    ];
    this.requests++;
    await this.work.send(`SET ${settings.join(", ")}`);
    this.#isFirst = true;
  }

  async run(statement: Statement): Promise<{ readonly open: boolean }> {
    await this.ensureHeld();
    // A statement may have removed the mark of an orphan.
    if (!this.#isFirst && !this.work.isInTransaction()) {
      await this.#execute(`DO GET_LOCK('${this.locks.mark}', 0)`, [], this.work);
    }
    this.#isFirst = false;
    this.requests++;
    await this.#limited(() => this.work.send(statement.text)).catch(async (error) => {
      throw await this.#withEffect(error, statement);
    });
    // A prepared transaction stays when the session ends.
    const isPrepared = statement.words[0] === "XA" && statement.words[1] === "PREPARE";
    return { open: this.work.isInTransaction() && !isPrepared };
  }

  /** Makes the session as new, which ends transactions and locks of tables too: they may be in the way of the record. */
  async end(): Promise<void> {
    if (this.work.isLost()) return;
    this.requests++;
    await this.work.renew().catch(() => {});
  }

  async close(): Promise<void> {
    await this.unlock();
    await this.work.close();
  }

  async #execute(
    sql: string,
    values: Command["values"] = [],
    connection = this.#guard ?? this.work,
  ): Promise<Table & { readonly matched?: number }> {
    this.requests++;
    return await connection.execute({ sql, values });
  }

  async #prepare(guard: MysqlConnection): Promise<void> {
    const limits = [LONGEST_WAIT, ...limitsOf(this.#seconds())];
    const settings = [...limits, "sql_safe_updates = 0", "autocommit = 1"];
    await this.#execute(`SET SESSION ${settings.join(", ")}`, [], guard);
  }

  /** How long our own statements wait for locks: whole seconds, at least one. */
  #seconds(): number {
    return wholeSeconds(this.environment.lockTimeoutMs);
  }

  #ownError(error: unknown, command?: Command): unknown {
    if (!(error instanceof DatabaseError)) return error;
    if (error.kind === "lost" && this.#guard !== undefined) return lostLock();
    if (command?.fence !== undefined && error.code === "ER_DUP_ENTRY") {
      return overtaken(command, true);
    }
    if (error.code !== "ER_LOCK_WAIT_TIMEOUT") return cannotUse(this.table, error);
    const message = `Waited ${this.#seconds()} s for the history table, ${this.table}, which the ` +
      "file or another session keeps: FLUSH TABLES WITH READ LOCK and LOCK TABLES do so";
    return new DatabaseError("busy", message);
  }

  /** Rows of engines without transactions, such as MyISAM and Aria, stay where a statement fails behind them. */
  async #withEffect(error: unknown, { words: [first = ""], text }: Statement): Promise<unknown> {
    const isRefused = error instanceof DatabaseError && error.kind === "refused";
    if (!isRefused || !CHANGES.includes(first)) return error;
    const { rows } = await this.#execute(WITHOUT_TRANSACTIONS);
    const names = ({ name, place }: typeof rows[number]) => place === null ? [name] : [name, place];
    if (!rows.some((row) => names(row).every((name) => isNamed(text, `${name}`)))) return error;
    return withDetails(error, { isPartial: true, isLockFailure: false });
  }

  /** Stops a statement that takes longer than the datasource allows. The server has no such limit for all kinds. */
  async #limited(action: () => Promise<void>): Promise<void> {
    const { statementTimeoutMs: limit } = this.datasource;
    const guard = this.#guard;
    if (limit === undefined || guard === undefined) return await action();
    let stopping: Promise<unknown> | undefined;
    const timer = setTimeout(() => {
      stopping = this.#execute(`KILL QUERY ${this.work.id}`, [], guard).catch(() => {});
    }, limit);
    try {
      await action();
    } catch (error) {
      if (stopping === undefined) throw error;
      const message = `the statement took longer than ${limit / 1000} s and was stopped`;
      throw new DatabaseError("refused", message);
    } finally {
      clearTimeout(timer);
      await stopping; // It must not hit the next statement.
    }
  }

  /** The connection that holds a lock; what it is may be seen by its own user alone. */
  async #processOf(lock: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const query = "SELECT l.id, p.USER AS user, p.HOST AS host, p.INFO AS info " +
      "FROM (SELECT IS_USED_LOCK(?) AS id) l " +
      "LEFT JOIN information_schema.PROCESSLIST p ON p.ID = l.id WHERE l.id IS NOT NULL";
    return (await this.#execute(query, [lock])).rows[0];
  }
}

/** The server ends sessions that are idle for longer. This is the most there is. */
const LONGEST_WAIT = "wait_timeout = 2147483";

/** The server counts in seconds, and takes a year at most. */
function wholeSeconds(milliseconds: number): number {
  return Math.min(Math.max(1, Math.ceil(milliseconds / 1000)), 31_536_000);
}

/** The start of a query that does not wait for a locked table without an end: MariaDB's form, and MySQL's. */
function limited(seconds: number): string {
  return `/*M! SET STATEMENT lock_wait_timeout = ${seconds} FOR */ ` +
    `SELECT /*+ SET_VAR(lock_wait_timeout = ${seconds}) */`;
}

function limitsOf(seconds: number): readonly string[] {
  return [`lock_wait_timeout = ${seconds}`, `innodb_lock_wait_timeout = ${seconds}`];
}

/** Open transactions but that of this session; the server shows them to who has the privilege PROCESS. */
const OPEN_TRANSACTIONS =
  "SELECT t.trx_mysql_thread_id AS id, p.USER AS user, p.HOST AS application, " +
  "CASE WHEN p.COMMAND = 'Sleep' THEN 'idle in transaction' WHEN p.COMMAND <> '' THEN 'active' END AS state, " +
  "COALESCE(p.INFO, t.trx_query) AS query, " +
  "TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) AS seconds, " +
  "DATE_FORMAT(CONVERT_TZ(t.trx_started, @@time_zone, '+00:00'), '%Y-%m-%dT%TZ') AS since " +
  "FROM information_schema.INNODB_TRX t " +
  "LEFT JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id " +
  "WHERE t.trx_mysql_thread_id <> ?";
/** Those among them that hold rows which a session waits for, as MariaDB and as MySQL say it. */
const HOLDING_ROWS = [
  ["information_schema.INNODB_LOCK_WAITS", "requesting_trx_id", "blocking_trx_id"],
  [
    ...["performance_schema.data_lock_waits", "REQUESTING_ENGINE_TRANSACTION_ID"],
    "BLOCKING_ENGINE_TRANSACTION_ID",
  ],
].map(([waits, requesting, blocking]) =>
  `t.trx_id IN (SELECT w.${blocking} FROM ${waits} w JOIN information_schema.INNODB_TRX r ` +
  `ON r.trx_id = w.${requesting} WHERE r.trx_mysql_thread_id = ?)`
);

const CHANGES = ["INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "WITH"];
/** Tables, with their database where it is not that of the session. */
const WITHOUT_TRANSACTIONS = "SELECT t.TABLE_NAME AS name, " +
  "NULLIF(t.TABLE_SCHEMA, DATABASE()) AS place FROM information_schema.TABLES t " +
  "JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE WHERE t.TABLE_TYPE = 'BASE TABLE' " +
  "AND e.TRANSACTIONS <> 'YES' " +
  "AND t.TABLE_SCHEMA NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')";

function withoutFacts({ columns, rows }: Table): Table {
  return {
    columns: columns.filter((name) => !name.startsWith("irori_")),
    rows: rows.filter(({ irori_row }) => irori_row !== null),
  };
}
