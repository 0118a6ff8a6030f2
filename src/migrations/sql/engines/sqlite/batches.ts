import { pause } from "../../../runner/mod.ts";
import { DatabaseError, withDetails } from "../../errors.ts";
import { TABLE } from "../../journal/records.ts";
import { redactor } from "../../connect/secret.ts";
import { errorOf } from "../../../../text/mod.ts";
import type {
  Command,
  Database,
  OpenDatabase,
  Reading,
  SqlEnvironment,
  SqlMigration,
  Steps,
  Table,
  Transactions,
  WriteOptions,
} from "../../types.ts";
import { cannotUse, lostLock, overtaken } from "../shared/own_errors.ts";
import { insist, readHistory, TYPES } from "./database.ts";
import { sqlite } from "./dialect.ts";
import type { BatchClient } from "./driver.ts";
import { sqliteError } from "./error.ts";
import { placed } from "./files.ts";
import { dropsOf, TEMPORARIES } from "./handle.ts";

export const openBatches: OpenDatabase = async (datasource, environment, signal) => {
  const using = environment.using as object;
  const client = "executeMultiple" in using
    ? (await import("./libsql.ts")).libsqlClient(using)
    : (await import("./bun.ts")).bunClient(using);
  return new BatchDatabase(client, redactor(datasource), environment, signal);
};

const LOCK = `main.${TABLE}_lock`;
/** How long a lock lasts that is not renewed, and how often it is, in milliseconds. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** In milliseconds, by the clock of the database. */
const NOW = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
/** Fails: what follows in the batch is not done, and what was done is taken back. */
const FAIL = "SELECT json('irori')";
const EXPIRED = "it was not renewed in time, or another program has removed its row";

/**
 * A file and its record are one batch. No lock ends with a connection here: it is a row with a time, which is renewed
 * while the run is at work, and which every batch checks in its own transaction.
 */
export class BatchDatabase implements Database {
  readonly types = TYPES;
  readonly table = `main.${TABLE}`;
  readonly facts = {};
  requests = 0;
  #token = "";
  #renewing: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly client: BatchClient,
    private readonly redact: (text: string) => string,
    private readonly environment: SqlEnvironment,
    private readonly signal?: AbortSignal,
  ) {}

  readonly #transactions: Transactions = {
    run: (migration, record) => this.#begin(migration, record),
    commit: (record) => this.#apply(record()),
    rollback: () => Promise.resolve(),
  };
  readonly transactions = (): Transactions => this.#transactions;

  readonly steps: Steps = {
    begin: (migration) => this.#begin(migration),
    run: async ({ text, words }) => {
      const [first = ""] = words;
      const isOutside = sqlite.refuse({ text, words, start: 0, end: 0 }, true) !== undefined;
      if (isOutside && first !== "VACUUM" || /^(?:SAVEPOINT|RELEASE|ROLLBACK)$/.test(first)) {
        const message = `${first} works on one connection, and here each statement of a file ` +
          "without a transaction may have another one: remove it";
        throw new DatabaseError("refused", message);
      }
      await this.#change(text);
      return { open: false };
    },
    undo: () => Promise.resolve(),
    end: () => this.#clean().catch(() => {}),
  };
  #migration: SqlMigration | undefined;
  #record: Command | undefined;

  async #begin(migration: SqlMigration, record?: Command): Promise<void> {
    const reason = await this.refusal(migration);
    if (reason !== undefined) throw new DatabaseError("refused", reason);
    this.#migration = migration;
    this.#record = record;
  }

  async read(before: readonly Command[] = []): Promise<Reading> {
    await this.write(before);
    return await readHistory(this.table, (sql) => this.query(sql));
  }

  async write(
    commands: readonly Command[],
    { isRehearsal = false }: WriteOptions = {},
  ): Promise<void> {
    if (commands.length === 0 || isRehearsal) return;
    await this.#batch([this.#held(), ...commands.flatMap(fenced)]).catch((error) => {
      throw this.#ownError(error, commands.find(({ fence }) => fence !== undefined));
    });
  }

  query(sql: string): Promise<Table> {
    return this.#insist(() => this.client.all(sql));
  }

  async tryLock(): Promise<boolean> {
    // It is ours even if the answer is lost.
    const token = this.#token = crypto.randomUUID();
    const create = `CREATE TABLE IF NOT EXISTS ${LOCK} (id INTEGER PRIMARY KEY CHECK (id = 1), ` +
      "token TEXT NOT NULL, owner TEXT NOT NULL, until INTEGER NOT NULL)";
    const take = `INSERT INTO ${LOCK} VALUES (1, ?, ?, ${NOW} + ${LEASE_MS}) ` +
      "ON CONFLICT (id) DO UPDATE SET token = excluded.token, owner = excluded.owner, " +
      `until = excluded.until WHERE until < ${NOW}`;
    await this.#change(create);
    if (await this.#change(take, token, this.environment.owner) !== 1) {
      this.#token = "";
      await pause(this.client.leastPauseMs, this.signal);
      return false;
    }
    this.#renewing = setInterval(() => this.ensureHeld().catch(() => {}), RENEW_MS);
    return true;
  }

  async holder(): Promise<string | undefined> {
    const sql = `SELECT owner, (until - ${NOW}) / 1000 AS s FROM ${LOCK} WHERE until >= ${NOW}`;
    const [row] = await this.query(sql).then(({ rows }) => rows, () => []);
    return row && `'${row.owner}', whose lock ends in ${row.s} s if it was killed`;
  }

  async ensureHeld(): Promise<void> {
    const sql = `UPDATE ${LOCK} SET until = ${NOW} + ${LEASE_MS} WHERE token = ?`;
    if (await this.#change(sql, this.#token) !== 1) throw lostLock(EXPIRED);
  }

  async unlock(): Promise<void> {
    clearInterval(this.#renewing);
    if (this.#token === "") return;
    await this.#change(`DELETE FROM ${LOCK} WHERE token = ?`, this.#token).catch(() => {});
    this.#token = "";
  }

  readonly orphan = (): Promise<undefined> => Promise.resolve(undefined);
  /** Why a file cannot run there, as a sentence without its final period. */
  readonly refusal: (migration: SqlMigration) => Promise<string | undefined> = this.orphan;
  readonly endOrphan = this.orphan;
  readonly obstacle = this.orphan;
  readonly lockWait = this.orphan;
  readonly close = (): Promise<void> => this.unlock().finally(() => this.client.close());

  async #apply(record: Command): Promise<void> {
    const { statements } = this.#migration!;
    const begin = [this.#held(), ...fenced(this.#record!)];
    const own = statements.map(({ text }): Command => ({ sql: text, values: [] }));
    try {
      await this.#batch([...begin, ...own, ...fenced(record)], this.signal);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.completed === undefined) throw error;
      const completed = error.completed - begin.length;
      if (statements[completed]) throw placed(error, error, statements, completed);
      if (/FOREIGN KEY constraint failed$/.test(error.message)) {
        const reason = "FOREIGN KEY constraint failed: rows that the file leaves refer to none";
        throw new DatabaseError("refused", reason);
      }
      const { kind, message } = this.#ownError(
        error,
        completed < 0 ? this.#record : record,
      ) as DatabaseError;
      // Only what fails behind the file's own statements is its doing.
      throw new DatabaseError(completed < 0 && kind === "overtaken" ? "busy" : kind, message);
    }
    await this.#clean();
  }

  async #clean(): Promise<void> {
    const isTemporary = (word: string) => word.startsWith("TEMP");
    const { statements = [] } = this.#migration ?? {};
    if (!this.client.hasSession || !statements.some(({ words }) => words.some(isTemporary))) return;
    const { rows } = await this.query(TEMPORARIES);
    for (const drop of dropsOf(rows)) await this.#change(drop);
  }

  async #batch(commands: readonly Command[], signal?: AbortSignal): Promise<void> {
    try {
      await this.#insist(() => this.client.batch(commands), signal);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== "refused") throw error;
      const completed = error.completed ?? await this.#search(commands, error.message);
      throw withDetails(error, { completed });
    }
  }

  /** Not all clients tell which command has failed: batches that end in another failure do, and are taken back. */
  async #search(commands: readonly Command[], failure: string): Promise<number | undefined> {
    let [from, to] = [0, commands.length - 1];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const tried = [...commands.slice(0, middle + 1), { sql: STOP, values: [] }];
      const found = await this.#insist(() => this.client.batch(tried)).catch((error) => error);
      if (found instanceof DatabaseError && found.kind !== "refused") return undefined;
      if (found instanceof DatabaseError && found.message === failure) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #change(sql: string, ...values: readonly string[]): Promise<number> {
    return this.#insist(() => this.client.change({ sql, values }));
  }

  #insist<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.requests++;
    const rewriting = () =>
      action().catch((error) => {
        throw batchError(error, this.redact);
      });
    return insist(rewriting, this.environment, signal);
  }

  #held(): Command {
    const exists = `SELECT 1 FROM ${LOCK} WHERE token = ? AND until >= ${NOW}`;
    return { sql: `${FAIL} WHERE NOT EXISTS (${exists})`, values: [this.#token] };
  }

  #ownError(error: unknown, command: Command | undefined): unknown {
    if (!(error instanceof DatabaseError)) return error;
    const isCheck = /malformed JSON/.test(error.message);
    if (isCheck && error.completed === 0) return lostLock(EXPIRED);
    const isThere = /^UNIQUE constraint failed/.test(error.message);
    if ((isCheck || isThere) && command?.fence !== undefined) return overtaken(command, isThere);
    return cannotUse(this.table, error);
  }
}

const STOP = "SELECT abs(-9223372036854775808)";

/** A command, and a check that fails where its fence does not hold. */
function fenced(command: Command): readonly Command[] {
  if (command.fence === undefined) return [command];
  const { kept } = command;
  const isGone = kept && `${FAIL} WHERE NOT EXISTS (SELECT 1 ${kept.sql})`;
  return [
    command,
    { sql: `${FAIL} WHERE changes() <> 1`, values: [] },
    ...isGone ? [{ ...kept, sql: isGone }] : [],
  ];
}

/** libSQL and D1 put the code of SQLite before the message or behind it; what has none came from the network. */
function batchError(error: unknown, redact: (text: string) => string): DatabaseError {
  if (error instanceof DatabaseError) {
    return new DatabaseError(error.kind, redact(error.message), { ...error });
  }
  const { message, code = "" }: { message: string; code?: string } = errorOf(error);
  if (!/SQL(?:ITE)?_/.test(`${code} ${message}`)) return new DatabaseError("lost", redact(message));
  const own = message.replace(/^(?:(?:D1|SQL|SQLITE)_\w+: )+(?:NOSENTRY )?/, "")
    .replace(/(?: at offset \d+)?: SQLITE_\w+(?: \(.*\))?$/, "");
  return sqliteError(new Error(own), { sql: "", path: "", redact });
}
