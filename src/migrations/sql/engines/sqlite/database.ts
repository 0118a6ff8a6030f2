import { retry } from "../../../runner/mod.ts";
import { DatabaseError } from "../../errors.ts";
import { TABLE } from "../../journal/records.ts";
import { redactor } from "../../connect/secret.ts";
import type {
  Command,
  Database,
  HistoryTypes,
  OpenDatabase,
  Reading,
  SessionFacts,
  SqlEnvironment,
  Table,
  WriteOptions,
} from "../../types.ts";
import { ensureFolder, MEMORY, refuseMemory } from "../shared/connections.ts";
import { cannotUse, overtaken } from "../shared/own_errors.ts";
import { LockFile } from "./lock_file.ts";
import {
  type DatabaseSync,
  loadSqliteDriver,
  rollBack,
  type SqliteConnection,
  wrapSqlite,
} from "./driver.ts";
import type { UsedSqlite } from "./handle.ts";
import { pauses } from "../../../../runtime/mod.ts";
import { SqliteSteps, SqliteTransactions, type Surroundings } from "./files.ts";

/** Opens a SQLite database; its file is created by the first write, its folder has to be there. */
export const openSqlite: OpenDatabase = async (datasource, environment, signal) => {
  const { database: path } = datasource;
  const { using } = environment;
  const redact = redactor(datasource);
  refuseMemory("sqlite", datasource, environment);
  await ensureFolder(path, environment);
  const open = await loadSqliteDriver(redact);
  if (using === undefined) return new SqliteDatabase(path, open, undefined, environment, signal);
  const { UsedSqlite } = await import("./handle.ts");
  const used = new UsedSqlite(using, wrapSqlite(path, using as DatabaseSync, redact));
  return new SqliteDatabase(path, open, used, environment, signal);
};

const TRY_MS = 20;
export const TYPES: HistoryTypes = {
  path: "TEXT",
  name: "TEXT",
  hash: "TEXT",
  time: "TEXT",
  text: "TEXT",
  duration: "INTEGER",
  integer: "INTEGER",
  addsSeveral: false,
};

/**
 * One connection for files and records, and one to a file beside the database, `<database>-migrations-lock`, that keeps
 * the lock: it ends with the process. A transaction in the database itself would be in the way of the statements that have
 * to run outside of one.
 */
class SqliteDatabase implements Database, Surroundings {
  readonly types = TYPES;
  readonly #transactions = new SqliteTransactions(this);
  readonly transactions = (): SqliteTransactions => this.#transactions;
  readonly steps: SqliteSteps = new SqliteSteps(this);
  readonly table = `main.${TABLE}`;
  readonly facts: SessionFacts = {};
  readonly pause: (() => Promise<void>) | undefined;
  requests = 0;
  #connection: SqliteConnection | undefined;
  #hasTold = false;
  readonly #lock: LockFile | undefined;

  constructor(
    private readonly path: string,
    private readonly connect: (path: string) => SqliteConnection,
    private readonly used: UsedSqlite | undefined,
    private readonly environment: SqlEnvironment,
    private readonly signal?: AbortSignal,
  ) {
    if (used === undefined || environment.allowMemory) this.pause = pauses();
    if (path === MEMORY) return;
    this.#lock = new LockFile(`${path}-migrations-lock`, (path) => this.#connect(path));
  }

  async read(before: readonly Command[] = []): Promise<Reading> {
    await this.write(before);
    if (!this.#connection && !this.used && !(await this.#exists(this.path))) return {};
    return await readHistory(this.table, (sql) => this.insist(() => this.#all(sql)));
  }

  async write(
    commands: readonly Command[],
    { isRehearsal = false }: WriteOptions = {},
  ): Promise<void> {
    if (commands.length === 0) return;
    await this.insist(() => this.exec("BEGIN IMMEDIATE"));
    try {
      for (const command of commands) this.record(command);
      await this.insist(() => this.exec(isRehearsal ? "ROLLBACK" : "COMMIT"));
    } catch (error) {
      this.tryToRollBack();
      throw error;
    }
  }

  async query(sql: string): Promise<Table> {
    // Reading makes no database.
    if (this.#connection === undefined && !(await this.#exists(this.path))) {
      return { columns: [], rows: [] };
    }
    return await this.insist(() => this.#all(sql));
  }

  #all(sql: string): Table {
    this.requests++;
    return this.#open().all({ sql, values: [] });
  }

  // deno-lint-ignore require-await -- a throw has to become a rejection
  async tryLock(): Promise<boolean> {
    if (this.used && !this.used.tryTake()) return false;
    return this.#lock?.tryTake() ?? true;
  }

  async holder(): Promise<string | undefined> {
    const lock = this.#lock;
    if (lock === undefined || !(await this.#exists(lock.path))) return undefined;
    return lock.isTaken() ? `a process that holds the file '${lock.path}'` : undefined;
  }

  /** No other process can end a lock of the operating system. */
  readonly ensureHeld = (): Promise<void> => Promise.resolve();

  unlock(): Promise<void> {
    this.#lock?.release();
    this.used?.release();
    return Promise.resolve();
  }

  readonly orphan = (): Promise<undefined> => Promise.resolve(undefined);
  readonly endOrphan = this.orphan;
  readonly obstacle = this.orphan;
  readonly lockWait = this.orphan;

  async close(): Promise<void> {
    await this.unlock();
    this.#connection?.close();
    this.#connection = undefined;
  }

  exec(sql: string): void {
    this.requests++;
    this.#open().exec(sql);
  }

  record(command: Command): void {
    this.requests++;
    try {
      const changes = this.#open().run(command);
      const { fence, kept } = command;
      const isKept = !kept || this.finds(`SELECT 1 ${kept.sql}`, kept.values);
      if (fence !== undefined && (changes !== 1 || !isKept)) throw overtaken(command);
    } catch (error) {
      const isTaken = error instanceof DatabaseError && command.fence !== undefined &&
        /^UNIQUE constraint failed/.test(error.message);
      throw isTaken ? overtaken(command, true) : cannotUse(this.table, error);
    }
  }

  insist<T>(action: () => T, { mayStop = true }: { readonly mayStop?: boolean } = {}): Promise<T> {
    // `node:sqlite` waits while it works: a throw has to become a rejection.
    return insist(async () => await action(), {
      ...this.environment,
      onNotice: (message) => {
        if (!this.#hasTold) this.environment.onNotice(message);
        this.#hasTold = true;
      },
    }, mayStop ? this.signal : undefined);
  }

  tryToRollBack(): void {
    rollBack(this.#connection);
  }

  isInTransaction(): boolean {
    try {
      this.#open().exec("BEGIN");
    } catch {
      return true;
    }
    this.tryToRollBack();
    return false;
  }

  renew(): void {
    this.used?.renew();
    if (this.path === MEMORY) return;
    this.#connection?.close();
    this.#connection = undefined;
  }

  finds(sql: string, values: Command["values"] = []): boolean {
    return this.#open().all({ sql, values }).rows.length > 0;
  }

  async #exists(path: string): Promise<boolean> {
    return path === MEMORY || await this.environment.files.stat(path) !== undefined;
  }

  #open(): SqliteConnection {
    return this.#connection ??= this.used?.open() ?? this.#connect(this.path);
  }

  #connect(path: string): SqliteConnection {
    const connection = this.connect(path);
    connection.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
    return connection;
  }
}

export async function readHistory(table: string, ask: Database["query"]): Promise<Reading> {
  try {
    return { table: await ask(`SELECT * FROM ${table}`) };
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === "missing table") return {};
    throw cannotUse(table, error);
  }
}

/** Does it again while another connection writes. @throws {DatabaseError} with `busy` after the time of the lock */
export async function insist<T>(
  action: () => Promise<T>,
  { lockTimeoutMs, onNotice }: Pick<SqlEnvironment, "lockTimeoutMs" | "onNotice">,
  signal?: AbortSignal,
): Promise<T> {
  let busy: DatabaseError | undefined;
  const done = await retry(async () => {
    try {
      return { value: await action() };
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== "busy") throw error;
      busy = error;
    }
  }, {
    timeoutMs: lockTimeoutMs,
    onWait: () => onNotice(`Waiting up to ${lockTimeoutMs / 1000} s: ${busy?.message}`),
    signal,
  });
  if (done === undefined) throw busy;
  return done.value;
}
