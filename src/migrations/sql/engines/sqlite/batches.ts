import { DatabaseError } from "../../errors.ts";
import { TABLE } from "../../journal/records.ts";
import { identifier } from "../../files/quoting.ts";
import { redactor } from "../../connect/secret.ts";
import { errorOf } from "../../../../text/mod.ts";
import type { Statement } from "../../syntax/grammar.ts";
import type {
  Command,
  Database,
  OpenDatabase,
  Reading,
  SessionFacts,
  SqlEnvironment,
  SqlMigration,
  Steps,
  Table,
  Transactions,
} from "../../types.ts";
import { cannotUse, lostLock, overtaken } from "../shared/own_errors.ts";
import { insist, TYPES } from "./database.ts";
import { sqlite } from "./dialect.ts";
import { sqliteError } from "./error.ts";
import { columnOf } from "./files.ts";
import { TEMPORARIES } from "./handle.ts";

/** A client of SQLite that is asked, and not opened: libSQL, Cloudflare D1, `Bun.SQL`. */
export interface BatchClient {
  /** Whether what a file leaves in the session is there for the next one. */
  readonly hasSession: boolean;
  all(sql: string): Promise<Table>;
  /** Gives the number of rows that were changed. */
  change(command: Command): Promise<number>;
  /** All of them in one transaction, without foreign keys where these can be turned off. */
  batch(commands: readonly Command[]): Promise<unknown>;
  /** Which command of a batch failed; absent where the client does not say so. */
  failedAt?(error: unknown): number | undefined;
  /** Why a file cannot run there, as a sentence without its final period. */
  refuse?(migration: SqlMigration): string | undefined;
}

export const openBatches: OpenDatabase = async (datasource, environment, signal) => {
  const using = environment.using as object;
  const client = "executeMultiple" in using
    ? (await import("./libsql.ts")).libsqlClient(using)
    : "unsafe" in using
    ? (await import("./bun.ts")).bunClient(using)
    : (await import("./d1.ts")).d1Client(using);
  return new BatchDatabase(client, redactor(datasource), environment, signal);
};

const LOCK = "main.framework_migrations_lock";
/** How long a lock lasts that is not renewed, and how often it is, in milliseconds. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** In milliseconds, by the clock of the database. */
const NOW = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
/** Fails: what follows in the batch is not done, and what was done is taken back. */
const FAIL = "SELECT json('irori')";
const EXPIRED = "it was not renewed in time, or another program has removed its row";
const MALFORMED = /malformed JSON/;

/**
 * A file and its record are one batch. No lock ends with a connection here: it is a row with a time, which is renewed
 * while the run is at work, and which every batch checks in its own transaction.
 */
class BatchDatabase implements Database {
  readonly types = TYPES;
  readonly table = `main.${TABLE}`;
  readonly facts: SessionFacts = {};
  requests = 0;
  #token: string | undefined;
  #renewing: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly client: BatchClient,
    private readonly redact: (text: string) => string,
    private readonly environment: SqlEnvironment,
    private readonly signal?: AbortSignal,
  ) {}

  readonly transactions: Transactions = {
    run: (migration, record) => {
      const reason = this.client.refuse?.(migration);
      if (reason !== undefined) return Promise.reject(new DatabaseError("refused", reason));
      this.#file = { migration, record };
      return Promise.resolve();
    },
    commit: (record) => this.#apply(record()),
    rollback: () => Promise.resolve(),
  };
  #file: { readonly migration: SqlMigration; readonly record: Command } | undefined;

  readonly steps: Steps = {
    begin: (migration) => {
      const reason = this.client.refuse?.(migration);
      return reason === undefined
        ? Promise.resolve()
        : Promise.reject(new DatabaseError("refused", reason));
    },
    run: async ({ text, words }) => {
      const [first = ""] = words;
      const isInside = first === "VACUUM" ||
        !sqlite.refuse({ text, words, start: 0, end: 0 }, true);
      if (!isInside || /^(?:SAVEPOINT|RELEASE|ROLLBACK)$/.test(first)) {
        const message = `${first} works on one connection, and here each statement of a file ` +
          "without a transaction may have another one: remove it";
        throw new DatabaseError("refused", message);
      }
      await this.#insist(() => this.client.change({ sql: text, values: [] }));
      return { open: false };
    },
    end: () => Promise.resolve(),
  };

  async read(before: readonly Command[] = []): Promise<Reading> {
    await this.write(before);
    try {
      return { table: await this.query(`SELECT * FROM ${this.table}`) };
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === "missing table") return {};
      throw cannotUse(this.table, error);
    }
  }

  async write(commands: readonly Command[]): Promise<void> {
    if (commands.length === 0) return;
    await this.#batch([...this.#held(), ...commands.flatMap(fenced)]).catch((error) => {
      throw this.#ownError(error, commands.find(({ fence }) => fence !== undefined));
    });
  }

  query(sql: string): Promise<Table> {
    return this.#insist(() => this.client.all(sql));
  }

  async tryLock(): Promise<boolean> {
    const token = crypto.randomUUID();
    const create = `CREATE TABLE IF NOT EXISTS ${LOCK} (id INTEGER PRIMARY KEY CHECK (id = 1), ` +
      "token TEXT NOT NULL, owner TEXT NOT NULL, until INTEGER NOT NULL)";
    const take = `INSERT INTO ${LOCK} VALUES (1, ?, ?, ${NOW} + ${LEASE_MS}) ` +
      "ON CONFLICT (id) DO UPDATE SET token = excluded.token, owner = excluded.owner, " +
      `until = excluded.until WHERE until < ${NOW}`;
    try {
      await this.#change({ sql: create, values: [] });
      const values = [token, this.environment.owner];
      if (await this.#change({ sql: take, values }) !== 1) return false;
    } catch (error) {
      throw cannotUse(LOCK, error);
    }
    this.#token = token;
    this.#renewing = setInterval(() => this.#renew().catch(() => {}), RENEW_MS);
    return true;
  }

  async holder(): Promise<string | undefined> {
    const sql =
      `SELECT owner, (until - ${NOW}) / 1000 AS seconds FROM ${LOCK} WHERE until >= ${NOW}`;
    const row = await this.query(sql).then(({ rows }) => rows[0], () => undefined);
    return row && `'${row.owner}', whose lock ends in ${row.seconds} s if it was killed`;
  }

  async ensureHeld(): Promise<void> {
    if (!await this.#renew()) throw lostLock(EXPIRED);
  }

  async unlock(): Promise<void> {
    clearInterval(this.#renewing);
    const token = this.#token;
    this.#token = undefined;
    if (token === undefined) return;
    await this.#change({ sql: `DELETE FROM ${LOCK} WHERE token = ?`, values: [token] });
  }

  orphan(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  endOrphan(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return this.unlock();
  }

  async #apply(record: Command): Promise<void> {
    const { migration, record: begun } = this.#file!;
    const { statements } = migration;
    const begin = [...this.#held(), ...fenced(begun)];
    const own = statements.map(({ text }): Command => ({ sql: text, values: [] }));
    try {
      await this.#batch([...begin, ...own, ...fenced(record)]);
    } catch (error) {
      const at = error instanceof DatabaseError ? error.completed : undefined;
      if (at === undefined) throw error;
      const completed = at - begin.length;
      const statement = statements[completed];
      if (statement) throw placed(error as DatabaseError, statement, completed);
      const { kind, message } = this.#ownError(error, completed < 0 ? begun : record);
      // Only what comes behind the file's own statements is its doing.
      throw new DatabaseError(completed < 0 && kind === "overtaken" ? "busy" : kind, message);
    }
    await this.#clean(statements);
  }

  async #clean(statements: readonly Statement[]): Promise<void> {
    const hasTemporaries = statements.some(({ words }) => words.some((word) => /^TEMP/.test(word)));
    if (!this.client.hasSession || !hasTemporaries) return;
    for (const { type, name } of (await this.query(TEMPORARIES)).rows) {
      if (type === "index") continue;
      const sql = `DROP ${type} IF EXISTS temp.${identifier(`${name}`)}`;
      await this.#change({ sql, values: [] });
    }
  }

  /** @throws {DatabaseError} with the number of the commands that were `completed` before the one that failed */
  async #batch(commands: readonly Command[]): Promise<void> {
    let cause: unknown;
    try {
      await this.#insist(() =>
        this.client.batch(commands).catch((error) => {
          cause = error;
          throw error;
        })
      );
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== "refused") throw error;
      const { kind, message } = error;
      const completed = this.client.failedAt?.(cause) ?? await this.#search(commands, message);
      throw new DatabaseError(kind, message, { completed });
    }
  }

  /** Finds the command that fails, by batches that end in a failure of their own: they are taken back. */
  async #search(commands: readonly Command[], failure: string): Promise<number> {
    let [from, to] = [0, commands.length - 1];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const tried = [...commands.slice(0, middle + 1), { sql: STOP, values: [] }];
      const found = await this.#insist(() => this.client.batch(tried)).catch((error) => error);
      if (found instanceof DatabaseError && found.message === failure) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #change(command: Command): Promise<number> {
    return this.#insist(() => this.client.change(command));
  }

  #insist<T>(action: () => Promise<T>): Promise<T> {
    this.requests++;
    const rewriting = () =>
      action().catch((error) => {
        throw batchError(error, this.redact);
      });
    return insist(rewriting, this.environment, this.signal);
  }

  async #renew(): Promise<boolean> {
    const sql = `UPDATE ${LOCK} SET until = ${NOW} + ${LEASE_MS} WHERE token = ?`;
    return this.#token !== undefined && await this.#change({ sql, values: [this.#token] }) === 1;
  }

  #held(): readonly Command[] {
    if (this.#token === undefined) return [];
    const exists = `SELECT 1 FROM ${LOCK} WHERE token = ? AND until >= ${NOW}`;
    return [{ sql: `${FAIL} WHERE NOT EXISTS (${exists})`, values: [this.#token] }];
  }

  #ownError(error: unknown, command: Command | undefined): DatabaseError {
    const found = error as DatabaseError;
    if (MALFORMED.test(found.message) && found.completed === 0 && this.#token) {
      return lostLock(EXPIRED);
    }
    const isOvertaken = /^UNIQUE constraint failed/.test(found.message) ||
      MALFORMED.test(found.message);
    if (isOvertaken && command?.fence !== undefined) return overtaken(command.fence);
    return cannotUse(this.table, error) as DatabaseError;
  }
}

/** A failure that no file has by accident. */
const STOP = "SELECT abs(-9223372036854775808)";

/** A command, and a check that fails where its fence does not hold; an INSERT fails by itself. */
function fenced(command: Command): readonly Command[] {
  if (command.fence === undefined || command.sql.startsWith("INSERT")) return [command];
  return [command, { sql: `${FAIL} WHERE changes() <> 1`, values: [] }];
}

function placed(error: DatabaseError, { text, start }: Statement, completed: number) {
  const column = columnOf(error, text);
  const place = column === undefined ? {} : { offset: start + column };
  return new DatabaseError(error.kind, error.message, { completed, ...place });
}

/** libSQL and D1 put the code of SQLite before the message or behind it; what has none came from the network. */
function batchError(error: unknown, redact: (text: string) => string): DatabaseError {
  const { message, code = "" }: { message: string; code?: string } = errorOf(error);
  if (!/SQLITE_/.test(`${code} ${message}`)) return new DatabaseError("lost", redact(message));
  const own = message.replace(/^(?:(?:D1_|SQLITE_)\w+: )+/, "")
    .replace(/(?: at offset \d+)?: SQLITE_\w+(?: \(.*\))?$/, "");
  return sqliteError(new Error(own), { sql: "", path: "", redact });
}
