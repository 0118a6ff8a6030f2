import { DatabaseSync, type StatementSync } from "node:sqlite";

/** A statement and its parameters, as a request of the HTTP API names them. */
export interface Query {
  readonly sql: string;
  readonly params?: readonly (string | number | boolean | null)[];
}

/** The result of one statement. Blobs are lists of numbers, integers above 2^53 lose digits. */
export interface Result {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly changes: number;
  readonly lastRowId: number;
}

/** A refusal by D1, with the code of SQLite at its end. */
export class D1Error extends Error {}

/** A connection with members that the types of `node:sqlite` do not have in every version. */
interface Connection extends Pick<DatabaseSync, "close" | "exec" | "isTransaction"> {
  readonly limits: Record<string, number>;
  setAuthorizer(
    authorize: ((action: number, ...names: (string | null)[]) => number) | null,
  ): void;
  prepare(sql: string): StatementSync & { setReturnArrays(enabled: boolean): void };
}

/** Numbers of SQLite for what a statement wants to do. */
const ACTION = {
  /** The numbers up to this one create something. */
  createView: 8,
  pragma: 19,
  transaction: 22,
  attach: 24,
  detach: 25,
  alterTable: 26,
  createVirtualTable: 29,
  function: 31,
  savepoint: 32,
};
const OK = 0;
const DENY = 1;

const TRANSACTIONS = "To execute a transaction, please use the state.storage.transaction() or " +
  "state.storage.transactionSync() APIs instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements. The JavaScript " +
  "API is safer because it will automatically roll back on exceptions, and because it interacts correctly with " +
  "Durable Objects' automatic atomic write coalescing.";
const VIOLATED =
  "Durable Object was reset and rolled back to its last known good state because the application left " +
  "the database in a state where constraints were violated: ";
const PRAGMAS = new Set([
  "case_sensitive_like",
  "defer_foreign_keys",
  "foreign_key_check",
  "foreign_key_list",
  "foreign_keys",
  "ignore_check_constraints",
  "index_info",
  "index_list",
  "index_xinfo",
  "legacy_alter_table",
  "optimize",
  "quick_check",
  "recursive_triggers",
  "reverse_unordered_selects",
  "table_info",
  "table_list",
  "table_xinfo",
]);
const FUNCTIONS = new Set(["load_extension", "sqlite_source_id", "sqlite_version"]);
const LIMITS = {
  sqlLength: 100_000,
  compoundSelect: 5,
  exprDepth: 100,
  likePatternLength: 50,
  column: 100,
  variableNumber: 100,
};
/** Results of SQLite, by the lower byte of their number. */
const CODES: Readonly<Record<number, string>> = {
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  23: "SQLITE_AUTH",
};
const EXTENDED: Readonly<Record<number, string>> = {
  275: "SQLITE_CONSTRAINT_CHECK",
  787: "SQLITE_CONSTRAINT_FOREIGNKEY",
  1299: "SQLITE_CONSTRAINT_NOTNULL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
  2579: "SQLITE_CONSTRAINT_ROWID",
};

/** Strings, names and comments, in which a semicolon ends nothing, and semicolons. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;/g;

/**
 * A database in memory that follows the rules of D1: the ones that workerd gives to SQLite's authorizer, its limits, and a
 * transaction around each request. Messages are those of local D1, without the offset of a syntax error.
 */
export class D1Database implements Disposable {
  readonly #sqlite = new DatabaseSync(":memory:") as unknown as Connection;
  #refusal: string | undefined;

  constructor() {
    this.#sqlite.exec("PRAGMA foreign_keys = ON");
    this.#sqlite.exec("CREATE TABLE _cf_METADATA (key INTEGER PRIMARY KEY, value BLOB)");
    Object.assign(this.#sqlite.limits, LIMITS);
  }

  [Symbol.dispose](): void {
    this.#sqlite.close();
  }

  /**
   * Runs statements in one transaction. A text may contain several statements; its parameters belong to the last one.
   *
   * @throws {D1Error} when one of them fails; nothing of the others remains
   */
  run(queries: readonly Query[]): Result[] {
    this.#sqlite.exec("BEGIN");
    try {
      this.#sqlite.setAuthorizer((action, first, second, schema) => {
        const isRefused = schema === "temp" && action <= ACTION.createView ||
          this.#refuses(action, first ?? "", second ?? "");
        return isRefused ? DENY : OK;
      });
      const results = queries.flatMap((query) => this.#runEach(query));
      if (results.length === 0) throw new D1Error("No SQL statements detected.");
      this.#sqlite.setAuthorizer(null);
      this.#commit();
      return results;
    } catch (error) {
      this.#sqlite.setAuthorizer(null);
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error instanceof D1Error ? error : new D1Error(this.#messageOf(error));
    }
  }

  #commit(): void {
    try {
      // A statement that is not prepared fails without a number.
      this.#sqlite.prepare("COMMIT").run();
    } catch (error) {
      throw new D1Error(VIOLATED + this.#messageOf(error));
    }
  }

  #runEach({ sql, params = [] }: Query): Result[] {
    const results: Result[] = [];
    for (const { text, isLast } of this.#split(sql)) {
      results.push(this.#runOne(text, isLast ? params : []));
    }
    return results;
  }

  #runOne(text: string, params: NonNullable<Query["params"]>): Result {
    const before = this.#changes();
    const statement = this.#sqlite.prepare(text);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const expected = withoutTokens(text).split("?").length - 1;
    if (params.length !== expected) {
      throw new D1Error("Wrong number of parameter bindings for SQL query.");
    }
    const values = params.map((value) => typeof value === "boolean" ? Number(value) : value);
    const rows = statement.all(...values) as unknown as unknown[][];
    const { total, lastRowId } = this.#changes();
    return {
      columns: statement.columns().map(({ name }) => name),
      rows: rows.map((row) => row.map(toJson)),
      changes: total - before.total,
      lastRowId,
    };
  }

  #changes(): { readonly total: number; readonly lastRowId: number } {
    const sql = "SELECT total_changes() AS total, last_insert_rowid() AS lastRowId";
    return this.#sqlite.prepare(sql).get() as { total: number; lastRowId: number };
  }

  /** Statements one by one: whether one is complete may depend on the tables that those before it have created. */
  *#split(sql: string): Generator<{ readonly text: string; readonly isLast: boolean }> {
    let start = 0;
    for (const { 0: token, index } of sql.matchAll(TOKENS)) {
      const text = sql.slice(start, index + 1);
      if (token !== ";" || isBlank(text) || this.#isIncomplete(text)) continue;
      start = index + 1;
      yield { text, isLast: isBlank(sql.slice(start)) };
    }
    const rest = sql.slice(start);
    if (!isBlank(rest)) yield { text: rest, isLast: true };
  }

  /** Whether a trigger has not reached its END. */
  #isIncomplete(text: string): boolean {
    try {
      this.#sqlite.prepare(text);
      return false;
    } catch (error) {
      return (error as Error).message === "incomplete input";
    }
  }

  #refuses(action: number, first: string, second: string): boolean {
    switch (action) {
      case ACTION.transaction:
      case ACTION.savepoint:
        this.#refusal = TRANSACTIONS;
        return true;
      case ACTION.attach:
      case ACTION.detach:
        return true;
      case ACTION.pragma:
        return !PRAGMAS.has(first.toLowerCase());
      case ACTION.function:
        return FUNCTIONS.has(second.toLowerCase());
      case ACTION.createVirtualTable:
        return !/^fts5/i.test(second);
      case ACTION.alterTable:
        return isInternal(second);
      default:
        return isInternal(first);
    }
  }

  #messageOf(error: unknown): string {
    const { message, errcode = 1 } = error as Error & { readonly errcode?: number };
    const refusal = this.#refusal;
    this.#refusal = undefined;
    const code = CODES[errcode & 0xff] ?? "SQLITE_ERROR";
    const extended = errcode in EXTENDED ? ` (extended: ${EXTENDED[errcode]})` : "";
    return `${refusal ?? message}: ${code}${extended}`;
  }
}

function isInternal(table: string): boolean {
  return table.toLowerCase().startsWith("_cf_");
}

function withoutTokens(text: string): string {
  return text.replace(TOKENS, "");
}

function isBlank(text: string): boolean {
  return withoutTokens(text).trim() === "";
}

function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? [...value] : value;
}
