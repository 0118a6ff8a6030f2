import type { Migration, MigrationRecord } from "../runner/mod.ts";
import type { FileSystem } from "../../runtime/mod.ts";
import type { Datasource } from "./datasource.ts";
import type { Script } from "./script.ts";
import type { Grammar } from "./syntax/grammar.ts";
import type { Statement } from "./syntax/splitter.ts";

/** What SQL targets need from around them. */
export interface SqlEnvironment {
  /** Who runs, `host-pid-run`: goes into the records and names the holder of a lock. */
  readonly owner: string;
  /** How long to wait for another run, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Where certificates and SQLite databases lie. */
  readonly files: Pick<FileSystem, "stat" | "readTextFile">;
  /** The time of records. @default the system's clock */
  readonly clock?: () => Date;
  /** Takes what is worth telling: a sentence without its final period, and the file it is about. */
  readonly onNotice: (message: string, file?: string) => void;
  /** Whether `sqlite::memory:` is accepted; such a database is gone when the run ends. @default false */
  readonly allowMemory?: boolean;
}

/** A file of SQL, read and split. */
export interface SqlMigration extends Migration {
  readonly kind: "sql";
  readonly script: Script;
  /** In order, without comments between them. */
  readonly statements: readonly Statement[];
  /** Whether the file and its record are one transaction; otherwise statement by statement. */
  readonly transactional: boolean;
}

/** A record of `framework_migrations`, with what only SQL databases keep. */
export interface SqlRecord extends MigrationRecord {
  /** `running` and `failed` files were begun and not finished; they are done statement by statement. */
  readonly state: "applied" | "running" | "failed";
  /** How many statements of an unfinished file are applied. */
  readonly statement?: number;
}

/** A statement on the history table, with `?` for each value. */
export interface Command {
  readonly sql: string;
  readonly values: readonly Value[];
}

export type Value = string | number | Date | null;

/** Rows as the database gives them, and the names of their columns even when there is no row. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** How one kind of database differs from the others. Everything but `open` is pure. */
export interface Dialect {
  /** As its vendor writes it. */
  readonly name: string;
  /** What strings, comments, names and compound statements look like. */
  readonly grammar: Grammar;
  /** Whether a file and its record can be one transaction, definitions included. */
  readonly transactional: boolean;
  /** `run`: one lock for the whole run. `file`: each transaction locks, and reads the record again. */
  readonly lockScope: "run" | "file";
  /** Types of the history table's columns. */
  readonly types: HistoryTypes;
  /** Why a statement cannot be part of a file, as a sentence without its final period. */
  refuse(statement: Statement, transactional: boolean): string | undefined;
  /** Whether a statement that fails has changed nothing. */
  isAtomic(statement: Statement): boolean;
  /** Connects. @throws {DatabaseError} */
  open(datasource: Datasource, environment: SqlEnvironment): Promise<Database>;
}

/** Column types in one dialect. */
export interface HistoryTypes {
  /** Up to 512 characters, compared byte by byte. */
  readonly path: string;
  /** Up to 190 characters, compared byte by byte. */
  readonly name: string;
  /** Exactly 64 hexadecimal digits. */
  readonly hash: string;
  /** A point in time, at least to the millisecond. */
  readonly time: string;
  /** Up to 255 characters. */
  readonly text: string;
  /** Milliseconds. */
  readonly duration: string;
  readonly integer: string;
  /** What follows the closing parenthesis of `CREATE TABLE`. */
  readonly suffix: string;
}

/**
 * An open database. Files run on one session, which is as new for each of them; what keeps the lock and, where
 * a file is done statement by statement, writes the records does not share that session's state.
 * Every method may throw a {@linkcode DatabaseError}.
 */
export interface Database {
  /** Messages sent so far. */
  readonly requests: number;
  /** Rows of a query on the history table. */
  select(query: Command): Promise<Table>;
  /** Commands on the history table, in one transaction where definitions can be. */
  write(commands: readonly Command[]): Promise<void>;

  /** Whether a run holds the lock, this one included. */
  isLocked(): Promise<boolean>;
  /** Waits for the lock. @throws {DatabaseError} of kind `busy`, its text naming the holder where known */
  lock(): Promise<void>;
  /** Gives the lock back; does nothing when it is not held. */
  unlock(): Promise<void>;

  /** Where a file and its record can be one transaction. */
  readonly transactions?: Transactions;

  /** Runs one statement by itself; says whether it leaves a transaction open that the file has started. */
  step(statement: Statement): Promise<{ readonly open: boolean }>;
  /** Ends a file that was done statement by statement: rolls back what it left open. Never throws. */
  endSteps(): Promise<void>;

  close(): Promise<void>;
}

/** The part of a {@linkcode Database} that runs a file in one transaction. */
export interface Transactions {
  /** Starts the transaction of one file. */
  begin(): Promise<void>;
  /** Runs a whole file inside it. */
  run(migration: SqlMigration): Promise<void>;
  /** Checks that it is still the same transaction, writes the record and commits. */
  commit(record: Command): Promise<void>;
  /** Takes everything since `begin` back. Never throws. */
  rollback(): Promise<void>;
}
