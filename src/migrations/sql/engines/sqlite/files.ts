import { DatabaseError, withDetails } from "../../errors.ts";
import type { Statement } from "../../syntax/grammar.ts";
import type { Command, SqlMigration, Steps, Transactions } from "../../types.ts";
import { moved, splitScript } from "../shared/parts.ts";
import { ENDED_TRANSACTION } from "../shared/own_errors.ts";

export interface Surroundings {
  exec(sql: string): void;
  record(command: Command): void;
  insist(action: () => void, options?: { readonly mayStop?: boolean }): Promise<void>;
  tryToRollBack(): void;
  isInTransaction(): boolean;
  finds(sql: string): boolean;
  renew(): void;
  /** Between parts of a file; absent where the application could use the connection meanwhile. */
  readonly pause: (() => Promise<void>) | undefined;
}

/** How much of a file is given to SQLite at once, in UTF-16 units: before each statement it counts what is left of it. */
const PART = 1 << 14;

const TEMPORARIES = "SELECT 1 FROM sqlite_temp_master LIMIT 1";
const BROKEN_REFERENCES = "PRAGMA foreign_key_check finds rows whose foreign keys refer to no row";

export class SqliteTransactions implements Transactions {
  #hasLeftTraces = false;

  constructor(private readonly around: Surroundings) {}

  async run(migration: SqlMigration, record: Command): Promise<void> {
    const { around } = this;
    const { statements } = migration;
    const { pragmaOf } = await import("./dialect.ts");
    this.#hasLeftTraces = statements.some(leavesTraces);
    await around.insist(() => around.exec("BEGIN IMMEDIATE"));
    around.record(record);
    around.exec("SAVEPOINT irori");
    for (const part of splitScript(migration, PART)) {
      try {
        around.exec(part.text);
      } catch (error) {
        throw this.#withPosition(moved(error, part), statements);
      }
      await around.pause?.();
    }
    const isChecked = statements.some((one) => pragmaOf(one) === "foreign_key_check");
    if (isChecked && around.finds("PRAGMA foreign_key_check")) {
      throw new DatabaseError("refused", BROKEN_REFERENCES);
    }
  }

  async commit(record: () => Command): Promise<void> {
    const { around } = this;
    try {
      around.exec("RELEASE irori");
    } catch {
      throw new DatabaseError("ended transaction", ENDED_TRANSACTION);
    }
    around.record(record());
    await around.insist(() => around.exec("COMMIT"));
    // A new connection reads the whole schema again, so that is left to files after which one is needed.
    if (this.#hasLeftTraces || around.finds(TEMPORARIES)) around.renew();
  }

  rollback(): Promise<void> {
    this.around.tryToRollBack();
    this.around.renew();
    return Promise.resolve();
  }

  /** Where the runtime gives no position: does the statements again, one by one, until the failing one. */
  #withPosition(error: unknown, statements: readonly Statement[]): unknown {
    const isFinal = error instanceof DatabaseError && error.kind === "refused" &&
      error.offset === undefined;
    if (!isFinal) return error;
    const { around } = this;
    around.tryToRollBack();
    let at = -1;
    try {
      around.exec("BEGIN IMMEDIATE");
      for (at = 0; at < statements.length; at++) around.exec(statements[at]!.text);
    } catch (found) {
      // Then it stays unknown where nothing was begun.
      if (at >= 0 && found instanceof DatabaseError) return placed(error, found, statements, at);
    } finally {
      around.tryToRollBack();
    }
    return error;
  }
}

export class SqliteSteps implements Steps {
  #isBegun = false;

  constructor(private readonly around: Surroundings) {}

  begin(): Promise<void> {
    this.#isBegun = false;
    return Promise.resolve();
  }

  async run({ text }: Statement): Promise<{ readonly open: boolean }> {
    // A file of which something is done goes on to its end.
    await this.around.insist(() => this.around.exec(text), { mayStop: !this.#isBegun });
    this.#isBegun = true;
    return { open: this.around.isInTransaction() };
  }

  readonly undo = (): Promise<void> => Promise.resolve();

  end(): Promise<void> {
    this.around.tryToRollBack();
    this.around.renew();
    return Promise.resolve();
  }
}

/** The statements that change a connection: SQLite has no other way to its settings, nor to other databases. */
function leavesTraces({ words }: Statement): boolean {
  const [first = ""] = words.filter((word) => !PREFIXES.has(word));
  return first === "PRAGMA" || first === "ATTACH" || first === "DETACH";
}

/** A PRAGMA works while it is explained. */
const PREFIXES = new Set(["EXPLAIN", "QUERY", "PLAN"]);

/** An error with the place of the statement, and in it. @param found what this statement by itself fails with */
export function placed(
  error: DatabaseError,
  found: DatabaseError,
  statements: readonly Statement[],
  completed: number,
): DatabaseError {
  const { text, start } = statements[completed]!;
  const column = columnOf(found, text);
  return withDetails(error, { completed, ...(column !== undefined && { offset: start + column }) });
}

/** Where the word is that a syntax error names, when there is only one like it. */
function columnOf({ message, offset }: DatabaseError, sql: string): number | undefined {
  if (offset !== undefined) return offset;
  const word = /^near "(.+)": syntax error$/s.exec(message)?.[1];
  if (word === undefined) return undefined;
  const at = sql.indexOf(word);
  return at === sql.lastIndexOf(word) && at >= 0 ? at : undefined;
}
