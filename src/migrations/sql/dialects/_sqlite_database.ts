import { dirname } from "@std/path";
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
import { loadSqliteDriver, type SqliteConnection } from "./_sqlite_driver.ts";
import { ENDED_TRANSACTION } from "./_transactions.ts";

/** Opens a SQLite database; its file is created by the first write, its folder has to be there. */
export async function openSqlite(
  { database: path }: Datasource,
  environment: SqlEnvironment,
): Promise<Database> {
  if (path === MEMORY && !environment.allowMemory) {
    const message = "Cannot migrate 'sqlite::memory:': the database is gone when the run ends";
    throw new DatabaseError("lost", message);
  }
  const folder = dirname(path);
  if (path !== MEMORY && !(await environment.files.stat(folder))?.isDirectory) {
    throw new DatabaseError("lost", `Cannot open '${path}': there is no folder '${folder}'`);
  }
  return new SqliteDatabase(path, await loadSqliteDriver(), environment);
}

const MEMORY = ":memory:";
/** Between tries to get a lock other things get their turn. */
const TRY_MS = 20;
/** What a file may leave behind in the connection. */
const SESSION_STATE = /pragma|attach|temp/i;

class SqliteDatabase implements Database, Transactions {
  readonly transactions = this;
  requests = 0;
  #connection: SqliteConnection | undefined;
  #guard: SqliteConnection | undefined;
  /** Whether the next file needs a new connection. */
  #isUsed = false;

  constructor(
    private readonly path: string,
    private readonly connect: (path: string) => SqliteConnection,
    private readonly environment: SqlEnvironment,
  ) {}

  async select(query: Command): Promise<Table> {
    if (this.#connection === undefined && !(await this.#exists(this.path))) {
      throw new DatabaseError("missing table", `There is no database '${this.path}' yet`);
    }
    this.requests++;
    return this.#open().all(query);
  }

  async write(commands: readonly Command[]): Promise<void> {
    await this.#begin();
    try {
      for (const command of commands) {
        this.requests++;
        this.#open().run(command);
      }
      this.#exec("COMMIT");
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async isLocked(): Promise<boolean> {
    if (this.path === MEMORY || !(await this.#exists(this.#guardPath))) return false;
    const guard = this.#openGuard();
    try {
      guard.exec("BEGIN EXCLUSIVE");
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      guard.close();
    }
  }

  /**
   * Holds a lock that ends with the process. A transaction in the database itself would be in the way of the
   * statements that have to run outside of one.
   */
  async lock(): Promise<void> {
    if (this.path === MEMORY) return;
    const guard = this.#openGuard();
    try {
      await this.#insist(() => guard.exec("BEGIN EXCLUSIVE"));
      this.#guard = guard;
    } catch (error) {
      guard.close();
      throw error;
    }
  }

  unlock(): Promise<void> {
    this.#guard?.close();
    this.#guard = undefined;
    return Promise.resolve();
  }

  async begin(): Promise<void> {
    await this.#begin();
    this.#exec("SAVEPOINT irori");
  }

  run({ script, statements }: SqlMigration): Promise<void> {
    return attempt(() => {
      this.#isUsed ||= SESSION_STATE.test(script.text);
      try {
        this.#exec(script.text);
      } catch (error) {
        throw this.#withPosition(error, statements);
      }
    });
  }

  commit(record: Command): Promise<void> {
    return attempt(() => {
      try {
        this.#exec("RELEASE irori");
      } catch {
        throw new DatabaseError("ended transaction", ENDED_TRANSACTION);
      }
      this.requests++;
      this.#open().run(record);
      this.#exec("COMMIT");
      this.#renew();
    });
  }

  rollback(): Promise<void> {
    this.#tryToRollBack();
    this.#renew();
    return Promise.resolve();
  }

  step({ text }: Statement): Promise<{ readonly open: boolean }> {
    return attempt(() => {
      this.#isUsed ||= SESSION_STATE.test(text);
      this.#exec(text);
      return { open: this.#isInTransaction() };
    });
  }

  endSteps(): Promise<void> {
    return this.rollback();
  }

  close(): Promise<void> {
    this.#guard?.close();
    this.#connection?.close();
    this.#guard = this.#connection = undefined;
    return Promise.resolve();
  }

  get #guardPath(): string {
    return `${this.path}-migrations-lock`;
  }

  async #exists(path: string): Promise<boolean> {
    return path === MEMORY || await this.environment.files.stat(path) !== undefined;
  }

  #open(): SqliteConnection {
    if (this.#connection === undefined) {
      this.#connection = this.connect(this.path);
      this.#setBusyTimeout(this.environment.lockTimeoutMs);
    }
    return this.#connection;
  }

  #openGuard(): SqliteConnection {
    const guard = this.connect(this.#guardPath);
    guard.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
    return guard;
  }

  #exec(sql: string): void {
    this.requests++;
    this.#open().exec(sql);
  }

  #setBusyTimeout(milliseconds: number): void {
    this.#connection?.exec(`PRAGMA busy_timeout = ${Math.round(milliseconds)}`);
  }

  async #begin(): Promise<void> {
    this.#open();
    this.#setBusyTimeout(TRY_MS);
    await this.#insist(() => this.#exec("BEGIN IMMEDIATE"));
    this.#setBusyTimeout(this.environment.lockTimeoutMs);
  }

  /** Does it again until nobody else is in the way. */
  async #insist(action: () => void): Promise<void> {
    let busy: unknown;
    const isDone = await waitFor(() =>
      attempt(() => {
        try {
          action();
          return true;
        } catch (error) {
          if (!isBusy(error)) throw error;
          busy = error;
          return false;
        }
      }), this.environment.lockTimeoutMs);
    if (!isDone) throw busy;
  }

  #tryToRollBack(): void {
    try {
      this.#connection?.exec("ROLLBACK");
    } catch {
      // There is nothing to take back.
    }
  }

  #isInTransaction(): boolean {
    try {
      this.#open().exec("BEGIN");
    } catch {
      return true;
    }
    this.#tryToRollBack();
    return false;
  }

  #renew(): void {
    if (!this.#isUsed || this.path === MEMORY) return;
    this.#connection?.close();
    this.#connection = undefined;
    this.#isUsed = false;
  }

  /** Where the runtime gives no position: does the statements again, one by one, until the failing one. */
  #withPosition(error: unknown, statements: readonly Statement[]): unknown {
    const isFinal = error instanceof DatabaseError && error.kind === "refused" &&
      error.offset === undefined;
    if (!isFinal) return error;
    this.#tryToRollBack();
    try {
      this.#exec("BEGIN IMMEDIATE");
      for (const [completed, { text, start }] of statements.entries()) {
        const found = this.#failureOf(text);
        if (found === undefined) continue;
        const column = columnOf(found, text);
        const offset = column === undefined ? {} : { offset: start + column };
        return new DatabaseError("refused", error.message, { completed, ...offset });
      }
    } catch {
      // Then it stays unknown.
    } finally {
      this.#tryToRollBack();
    }
    return error;
  }

  #failureOf(sql: string): DatabaseError | undefined {
    try {
      this.#exec(sql);
    } catch (error) {
      if (error instanceof DatabaseError) return error;
      throw error;
    }
  }
}

/** Where the word is that a syntax error names, when there is only one like it. */
function columnOf({ message, offset }: DatabaseError, sql: string): number | undefined {
  if (offset !== undefined) return offset;
  const word = /^near "(.+)": syntax error$/s.exec(message)?.[1];
  if (word === undefined) return undefined;
  const at = sql.indexOf(word);
  return at === sql.lastIndexOf(word) && at >= 0 ? at : undefined;
}

function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === "busy";
}

/** `node:sqlite` waits while it works; the contract wants promises. */
// deno-lint-ignore require-await -- a throw has to become a rejection
async function attempt<T>(action: () => T): Promise<T> {
  return action();
}
