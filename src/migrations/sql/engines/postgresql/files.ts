import { type Datasource, LOCK_TIMEOUT_MS } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import type { Statement } from "../../syntax/grammar.ts";
import type {
  Command,
  SqlEnvironment,
  SqlMigration,
  Steps,
  Table,
  Transactions,
} from "../../types.ts";
import { literal, type Message, type PostgresqlConnection } from "./driver.ts";
import { DUPLICATE_TABLE, isFailedCheck } from "./error.ts";
import { ENDED_TRANSACTION } from "../shared/own_errors.ts";
import {
  fenced,
  GIVE_UP_LOCKS,
  liftLimits,
  limitLocks,
  type LockStatements,
  RESET,
  RESET_SETTINGS,
  type Scope,
  select,
} from "./statements.ts";
import {
  createsIndex,
  INVALID_INDEXES,
  type InvalidIndex,
  invalidIndex,
  invalidIndexesIn,
  isOnTable,
  mayHaveLeft,
  withLeftovers,
} from "./indexes.ts";
import { moved, type ScriptPart, splitScript } from "../shared/parts.ts";

export type Text = Message["text"];

export interface Surroundings {
  readonly datasource: Datasource;
  readonly environment: SqlEnvironment;
  readonly work: PostgresqlConnection;
  /** Whether other clients get the session when a transaction is over. */
  readonly isPooled: boolean;
  /** Whether a file was done there statement by statement, which may have left anything. */
  isUsed: boolean;
  /** Whether the server notices a dead client while a statement runs. */
  readonly checksClient: boolean;
  /** Fails with `busy` where {@linkcode ensureLocked} does, which stands before the text. */
  sendAll(text: Text, before?: readonly string[]): Promise<readonly Table[]>;
  send(text: Text, before?: readonly string[], on?: PostgresqlConnection): Promise<Table>;
  /** A statement that fails with a division by zero when the lock of the run is free. */
  readonly ensureLocked: string;
  readonly locks: LockStatements;
  /** Fails with `busy` when the lock is known to be lost, without asking the server. */
  checkLock(): void;
  ownError(error: unknown, command?: Command): Promise<unknown>;
}

/** A path as it stands in a comment, whose end must not be in it, nor the start of one inside of it. */
export function pathInComment(path: string): string {
  return path.replaceAll(/\*(?=\/)|\/(?=\*)/g, "$& ");
}

/** Files that are one transaction with their record: two messages for each. */
export class PostgresqlTransactions implements Transactions {
  #transaction: unknown;
  /** The comment at the start of each message of a file: the mark of an orphan. */
  #mark = "";

  constructor(private readonly around: Surroundings) {}

  async run(migration: SqlMigration, record: Command): Promise<void> {
    const { around } = this;
    // The setting by which the server takes the next message apart may still be that of the last file.
    if (around.isUsed) await around.send(select(GIVE_UP_LOCKS), RESET);
    around.isUsed = false;
    this.#mark = `/* irori: ${pathInComment(migration.file.path)} */`;
    const prepare = select(
      GIVE_UP_LOCKS,
      ...fileSettings(around, "transaction"),
      limitLocks(around.environment.lockTimeoutMs),
      around.locks.keepMarkHere,
      "txid_current()::text AS id",
    );
    const before = [
      `${this.#mark} BEGIN`,
      ...RESET,
      prepare,
      around.ensureLocked,
      ...fenced(record),
      ...fileLimit(migration, around.datasource),
    ];
    const [first, ...rest] = splitScript(migration, PART);
    const isLong = first!.text.length > LONG;
    try {
      const tables = await around.sendAll(isLong ? "SELECT 1" : first!, before);
      this.#transaction = tables[before.indexOf(prepare)]?.rows[0]?.id;
    } catch (error) {
      const own = error instanceof DatabaseError ? error.own : undefined;
      if (own === undefined) throw error;
      await this.rollback();
      if (isFailedCheck(error, before.indexOf(prepare))) {
        const message = "A session of an earlier run, or of another program with its advisory " +
          "lock, is still at work on the server";
        throw new DatabaseError("busy", message);
      }
      const isRecord = fenced(record).includes(before[own] ?? "");
      throw await around.ownError(error, isRecord ? record : undefined);
    }
    await this.#refuseInvalidIndexes(migration);
    for (const part of isLong ? [first!, ...rest] : rest) await this.#sendPart(part);
  }

  async #sendPart(part: ScriptPart): Promise<void> {
    const { around } = this;
    const own = [this.#begin(), around.ensureLocked];
    const send = (text: Text, before?: readonly string[]) =>
      around.send(text, before).catch((error) => {
        throw moved(error, part);
      });
    const isLong = part.text.length > LONG;
    if (isLong) await send("SELECT 1", own);
    await send(part, isLong ? [] : own);
  }

  /** The first statement of a message: where it is done, an error is not that the message cannot be read. */
  #begin(): string {
    return `${this.#mark} SELECT 1`;
  }

  /** `IF NOT EXISTS` takes an invalid index, as a failed attempt has left it, for one that is there. */
  async #refuseInvalidIndexes({ statements }: SqlMigration): Promise<void> {
    const taken = statements.filter(({ words }) =>
      words[0] === "CREATE" && words.includes("INDEX") && words.includes("EXISTS")
    );
    if (taken.length === 0) return;
    const invalid = invalidIndexesIn(await this.around.send(`${this.#mark} ${INVALID_INDEXES}`));
    for (const statement of taken) {
      const found = invalid.find((index) => createsIndex(statement, index));
      if (found) throw invalidIndex(found.index);
    }
  }

  async commit(record: () => Command): Promise<void> {
    const { around } = this;
    const ended = () => new DatabaseError("ended transaction", ENDED_TRANSACTION);
    const check = `SELECT 1 / (txid_current()::text = '${this.#transaction}')::int`;
    if (!around.work.isInTransaction()) throw ended();
    around.checkLock();
    const change = record();
    const before = [
      this.#begin(),
      // Constraints that the file has deferred are checked in the session that the file has set up.
      PUT_OFF,
      ...around.isPooled ? [...RESET, select(GIVE_UP_LOCKS)] : RESET_SETTINGS,
      // A division by zero keeps what follows from being done.
      check,
      around.ensureLocked,
      // No other client sees the record yet: if it differs from what was written, the file has changed it.
      ...fenced(change),
    ];
    try {
      await around.send("COMMIT", before);
    } catch (error) {
      if (isFailedCheck(error, before.indexOf(check))) throw ended();
      if (!(error instanceof DatabaseError) || error.own === undefined) throw error;
      if (error.own === before.indexOf(PUT_OFF)) throw ofFile(error);
      throw await around.ownError(
        error,
        error.own >= before.length - fenced(change).length ? change : undefined,
      );
    }
  }

  async rollback(): Promise<void> {
    // When a message fails that has begun the transaction, the driver does not know yet that there is one.
    if (this.around.work.isLost()) return;
    await this.around.send("ROLLBACK").catch(() => {});
  }
}

/** How much of a file is sent in one message, in UTF-16 units: each is a round trip. */
const PART = 1 << 18;
/** From when on a text is sent alone, in UTF-16 units: what is put before a text makes a copy of it. */
const LONG = 64 * PART;
const PUT_OFF = "SET CONSTRAINTS ALL IMMEDIATE";

/** A complaint of a constraint that a file has deferred: the statement is unknown. */
function ofFile({ kind, message, code, hints, isLockFailure }: DatabaseError): DatabaseError {
  return new DatabaseError(kind, message, { hints, isLockFailure, ...(code && { code }) });
}

export class PostgresqlSteps implements Steps {
  #isFirst = true;
  #failed: { readonly statement: Statement; readonly left: readonly string[] } | undefined;

  constructor(private readonly around: Surroundings) {}

  async begin({ lockTimeoutMs }: SqlMigration): Promise<void> {
    const { around } = this;
    const prepare = select(
      GIVE_UP_LOCKS,
      ...fileSettings(around, "session"),
      ...lockTimeoutMs === undefined ? [] : [limitLocks(lockTimeoutMs, "session")],
      around.locks.keepMark,
    );
    await around.send(prepare, [...RESET, around.ensureLocked]);
    around.isUsed = true;
    this.#isFirst = true;
    this.#failed = undefined;
  }

  async run(statement: Statement): Promise<{ readonly open: boolean }> {
    const { around } = this;
    around.checkLock();
    await this.#keepMark();
    // The remains of the last try would be in its way.
    if (this.#failed?.statement === statement) await this.undo();
    // The server refuses it in a transaction that the file has opened.
    const isConcurrent = statement.words.includes("CONCURRENTLY") && !around.work.isInTransaction();
    if (isConcurrent) await this.#runConcurrently(statement);
    else await around.send(statement.text);
    return { open: around.work.isInTransaction() };
  }

  async end(): Promise<void> {
    const { work } = this.around;
    if (work.isLost() || !work.isInTransaction()) return;
    await this.around.send("ROLLBACK").catch(() => {});
  }

  /** A statement may have removed the mark of an orphan, and what ends it. */
  async #keepMark(): Promise<void> {
    const { around } = this;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst || around.work.isInTransaction()) return;
    await around.send(select(...orphanSettings(around, "session"), around.locks.keepMark));
  }

  /** A failure may leave an invalid index behind, which `IF NOT EXISTS` then takes for one that is there. */
  async #runConcurrently(statement: Statement): Promise<void> {
    const { around } = this;
    const { text, words } = statement;
    const before = await this.#invalidIndexes();
    // Without a name the server would choose another one, and leave the invalid index where it is.
    const isNameless = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+ON\b/i.test(text);
    const sameTable = before.find((index) => isNameless && isOnTable(statement, index));
    if (sameTable) throw invalidIndex(sameTable.index);
    const wasThere = ({ index }: InvalidIndex) => before.some((other) => other.index === index);
    try {
      await around.send(text);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== "refused") throw error;
      // The server says that it failed before it is done with it, and until then it seems to build the index.
      await around.send("SELECT 1");
      const left = (await this.#invalidIndexes())
        .filter((index) => !wasThere(index) && mayHaveLeft(statement, index))
        .map(({ index }) => index);
      const inTheWay = before.find((index) => createsIndex(statement, index));
      if (error.code === DUPLICATE_TABLE && inTheWay) throw invalidIndex(inTheWay.index);
      if (left.length === 0) throw error;
      // The next try repeats a drop that failed.
      if (words[0] !== "DROP") this.#failed = { statement, left };
      throw withLeftovers(error, left);
    }
    if (before.length === 0) return;
    const taken = (await this.#invalidIndexes())
      .find((index) => wasThere(index) && createsIndex(statement, index));
    if (taken) throw invalidIndex(taken.index);
  }

  async undo(): Promise<void> {
    for (const [at, index] of this.#failed?.left.entries() ?? []) {
      // Another client may have made it valid, or replaced it.
      if (!(await this.#invalidIndexes()).some((other) => other.index === index)) continue;
      await this.around.send(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
        .catch((error) => {
          const left = this.#failed!.left.slice(at);
          throw error instanceof DatabaseError ? withLeftovers(error, left) : error;
        });
    }
    this.#failed = undefined;
  }

  /** Asked in the session of the file, which may have set the `search_path`. */
  async #invalidIndexes(): Promise<readonly InvalidIndex[]> {
    return invalidIndexesIn(await this.around.send(INVALID_INDEXES));
  }
}

/**
 * How long a file waits for locks. Without a word of its own or of the datasource's, a limit of the database holds. Files
 * of rows alone are limited too: what functions and triggers lock cannot be seen in them.
 */
function fileLimit({ lockTimeoutMs }: SqlMigration, { migrations }: Datasource): readonly string[] {
  const wanted = lockTimeoutMs ?? migrations.lockTimeoutMs;
  if (wanted !== undefined) return [select(limitLocks(wanted))];
  const limit = `SELECT ${limitLocks(LOCK_TIMEOUT_MS)} WHERE current_setting('lock_timeout') = '0'`;
  return ["SET LOCAL lock_timeout TO DEFAULT", limit];
}

/** The settings of a file: as parameters of the connection a pooler would refuse them. */
function fileSettings(around: Surroundings, scope: Scope): readonly string[] {
  const { statementTimeoutMs } = around.datasource;
  return [
    ...setting("client_encoding", "UTF8", scope),
    ...searchPath(around.datasource, scope),
    ...setting("statement_timeout", statementTimeoutMs?.toString(), scope),
    // A run that is frozen between two messages must not hold locks for ever; an existing limit stays.
    `set_config('${IDLE}', CASE WHEN current_setting('${IDLE}') IN ('0', '') THEN '${IDLE_MS}' ` +
    `ELSE current_setting('${IDLE}') END, ${scope === "transaction"})`,
    ...liftLimits(scope === "transaction"),
    ...orphanSettings(around, scope),
  ];
}

export function searchPath({ schema }: Datasource, scope: Scope): readonly string[] {
  return setting("search_path", schema, scope);
}

const IDLE = "idle_in_transaction_session_timeout";
/** How long a file may leave its transaction without a message, in milliseconds. */
const IDLE_MS = 60_000;

function orphanSettings({ checksClient }: Surroundings, scope: Scope): readonly string[] {
  return setting("client_connection_check_interval", checksClient ? "500" : undefined, scope);
}

function setting(name: string, value: string | undefined, scope: Scope): readonly string[] {
  if (value === undefined) return [];
  return [`set_config('${name}', ${literal(value)}, ${scope === "transaction"})`];
}
