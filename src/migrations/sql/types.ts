import type { Features, Migration } from "../runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { AddressDetails, Datasource } from "./connect/datasource.ts";
import type { Allowance } from "./files/directives.ts";
import type { Script } from "./files/script.ts";
import type { Grammar, Statement, StringSettings } from "./syntax/grammar.ts";

export interface SqlEnvironment extends Pick<Runtime, "files" | "execute"> {
  readonly variable: (name: string) => string | undefined;
  /** The running process as `host-pid-run`: goes into the records and names the holder of a lock. */
  readonly owner: string;
  readonly lockTimeoutMs: number;
  readonly features: Features;
  readonly noticeMs?: number;
  /** Ends the programs that read a schema. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what is worth telling: a sentence without its final period, and the file it is about. */
  readonly onNotice: (message: string, file?: string) => void;
  /** Whether `sqlite::memory:` is accepted; such a database ends with the run, which alone uses it. @default false */
  readonly allowMemory?: boolean;
  /** A connection that the application has already, see `engineOf`. */
  readonly using?: object | undefined;
  /** Gives a connection that another tenant of the server has given back, or makes one; closing it gives it back. */
  readonly keep?: <C extends Kept>(connect: () => Promise<C>) => Promise<C>;
}

export interface Kept {
  isLost(): boolean;
  renew(): Promise<void>;
  close(): Promise<void>;
}

export interface SqlMigration extends Migration {
  readonly kind: "sql";
  readonly script: Script;
  readonly statements: readonly Statement[];
  /** Indices of statements behind which strings end in another way. */
  readonly turns: readonly number[];
  /** Whether the file and its record are one transaction; otherwise statement by statement. */
  readonly transactional: boolean;
  readonly lockTimeoutMs?: number;
  /** The findings that the file allows, each with its reason. */
  readonly allowances: readonly Allowance[];
}

/** The facts of an engine that are known before anything of it is loaded. */
export interface Engine {
  readonly title: string;
  /** Whose SQL it has. Features have one entry for all engines with the same SQL, unless these differ in it. */
  readonly kind: string;
  /** The schemes of its URLs; none where only a connection of the application leads to it. */
  readonly schemes: readonly string[];
  readonly otherSchemes?: readonly string[];
  /** The port of a server; 0 for an embedded one. */
  readonly port: number;
  /** Whether it runs in this process, on files. */
  readonly isEmbedded: boolean;
  /** Reads what stands behind the scheme of a URL. @throws {TypeError} */
  address(rest: string, engine: Pick<Engine, "schemes" | "title">): AddressDetails;
  /** The folder of the files of a datasource. @param root that of all connections */
  folder(root: string, datasource: Datasource, environment: SqlEnvironment): Promise<string>;
  readonly schemas: "in databases" | "are databases" | "none";
  /** How far a configuration or a file can limit how long statements wait for locks. */
  readonly lockTimeout: "of all files" | "of a file" | "none";
  /** The connections of applications that it takes, as messages name them; empty for none. */
  readonly handles: string;
  /** Where such a connection leads, if it tells that. @throws {TypeError} when it cannot be used */
  recognize(handle: Handle): { readonly pool?: PoolOptions; readonly file?: string } | undefined;
  dialect(): Promise<Dialect>;
  open(): Promise<OpenDatabase>;
}

export interface Handle {
  readonly handle: Readonly<Record<string, unknown>>;
  /** Whether these are functions of it. */
  has(...names: readonly string[]): boolean;
}

export interface PoolOptions {
  readonly connectionString?: string;
  readonly host?: string | readonly string[];
  readonly hostname?: string;
  readonly socketPath?: string;
  readonly port?: number | string | readonly number[];
  readonly user?: string;
  readonly username?: string;
  readonly password?: unknown;
  readonly pass?: unknown;
  readonly database?: string;
}

export interface Dialect {
  readonly name: string;
  readonly grammar: Grammar;
  /** Whether a file and its record can be one transaction, definitions included. */
  readonly transactional: boolean;
  /** Why a file cannot say how long its statements wait for locks, as a sentence without its final period, if it cannot. */
  readonly lockTimeoutRefused: string;
  /** The words of statements that begin and end a transaction like that of a run. */
  readonly pair: readonly [begin: RegExp, end: RegExp];
  /** Why a statement cannot be part of a file, as a sentence without its final period. */
  refuse(statement: Statement, transactional: boolean): string | undefined;
  /** Statements that may stand in a transaction of this file, whatever `refuse()` says of them. */
  harmless(statements: readonly Statement[]): readonly Statement[];
  /** Whether a statement that fails has changed nothing. */
  isAtomic(statement: Statement): boolean;
  /** A query of the tables that may be histories of other tools. */
  tables(asked: TablesAsked): string;
}

/**
 * Lists as SQL. A row of the answer is a table, with `place` as SQL names it, `name`, `schema`, `fields` (its columns, with
 * commas) and flags: `readable`, `here`, and `elsewhere` for other schemas than that of the session. What belongs to
 * something else is left out, such as tables of extensions, partitions and virtual tables.
 */
export interface TablesAsked {
  /** Schemas that files make tables in. @param current that of the session, as SQL */
  here(current: string): string;
  /** Schemas in which a history may be, whatever the session works in. */
  readonly homes: string;
  /** By what a history in any other schema is known: the table or a column has one of these names, in lower case. */
  readonly names: string;
  readonly columns: string;
}

export interface SessionFacts {
  /** Where strings end; as servers have it by default when absent. */
  readonly strings?: StringSettings;
  /** Why nothing can be done outside of a transaction, as a sentence without its final period. */
  readonly stepsRefused?: string;
}

/** A statement on the history table, with `?` for each value. */
export interface Command {
  readonly sql: string;
  readonly values: readonly Value[];
  /** The file whose row it inserts, or changes if it is as it was read: else another run did it. */
  readonly fence?: string;
  /** `FROM …`: the row as it is afterwards, unless a trigger or the like keeps it from being so. */
  readonly kept?: Omit<Command, "fence" | "kept">;
}

export type Value = string | number | Date | null;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

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
  readonly duration: string;
  readonly integer: string;
  /** The text after the closing parenthesis of `CREATE TABLE`. */
  readonly suffix?: string;
  /** Whether one `ALTER TABLE` adds several columns and a constraint. */
  readonly addsSeveral: boolean;
}

export interface Reading {
  readonly table?: Table;
  /** The work that a session of a dead run still does; checked while this run holds the lock. */
  readonly orphan?: string;
}

export interface WriteOptions {
  readonly apart?: boolean;
  /** Whether it is taken back; batches, which cannot be, write nothing then. */
  readonly isRehearsal?: boolean;
}

/**
 * The connections of one run to a database. Files run on one session, which is as new for each of them; what keeps the
 * lock, and what writes records while a file is done statement by statement, shares nothing with it.
 *
 * Every method may throw a {@linkcode DatabaseError}; of kind `busy` where another run has the lock, has written what was
 * to be written, or keeps the history table for too long.
 */
export interface Database {
  readonly requests: number;
  readonly types: HistoryTypes;
  readonly facts: SessionFacts;
  /** The history table as commands name it; known after the first read. */
  readonly table: string;

  read(before?: readonly Command[]): Promise<Reading>;
  write(commands: readonly Command[], options?: WriteOptions): Promise<void>;

  /**
   * Asks the database something that is not of the history. Times are in UTC, as texts or `Date`.
   *
   * @param waitMs how long it may wait for locks of others @default the time that a run waits for another one
   */
  query(sql: string, waitMs?: number): Promise<Table>;

  tryLock(): Promise<boolean>;
  holder(): Promise<string | undefined>;
  /** Fails with `busy` when the lock is not held any more; may leave asking the server to what is sent next. */
  ensureHeld(): Promise<void>;
  unlock(): Promise<void>;
  orphan(): Promise<string | undefined>;
  /** Tells that session to end, where it is at work on this file; this run has to hold the lock. */
  endOrphan(path: string, isBegun: boolean): Promise<string | undefined>;
  /** Unusable remains of an earlier attempt at a file, as a sentence without its final period. */
  obstacle(migration: SqlMigration): Promise<string | undefined>;
  /** The lock that the current file waits for, asked on another connection, if it is known. */
  lockWait(): Promise<LockWait | undefined>;

  /** For files that are one transaction, which a dialect may not have. */
  transactions(): Transactions | undefined;
  readonly steps: Steps;

  close(): Promise<void>;
}

export interface Transactions {
  /** Starts a transaction in a session as new, writes the record, and runs the file. */
  run(migration: SqlMigration, record: Command): Promise<void>;
  /** Checks that it is still the same transaction, writes the record again and commits. */
  commit(record: () => Command): Promise<void>;
  rollback(): Promise<void>;
}

export interface LockWait {
  /** Which, where the server says so: `ACCESS EXCLUSIVE on public.orders`. */
  readonly lock?: string;
  /** The sessions that hold it, or may hold it, and those before it; the oldest transaction first. */
  readonly holders: readonly LockingSession[];
  readonly isCertain: boolean;
}

export interface LockingSession {
  readonly name: string;
  /** Whether it holds nothing of it, but waits for it too and came before. @default false */
  readonly isQueued?: boolean;
  readonly user?: string;
  /** The name by which the application calls itself, or its location. */
  readonly application?: string;
  readonly state?: string;
  /** How long its transaction has been open, in seconds, and since when (RFC 3339). */
  readonly seconds?: number;
  readonly since?: string;
  /** The statement it is at, or was at last: with its values. */
  readonly query?: string;
}

export interface Steps {
  begin(migration: SqlMigration): Promise<void>;
  /**
   * Runs one statement by itself; says whether it leaves a transaction open that the file has started. The same statement
   * again is another try, before which what the last one has left is taken away.
   */
  run(statement: Statement): Promise<{ readonly open: boolean }>;
  /** Takes away what a try that failed has left, where there will be no other. @throws {DatabaseError} with what stays */
  undo(): Promise<void>;
  /** Rolls back what the file left open, and gives up what its session keeps. Never throws. */
  end(): Promise<void>;
}

/** Connects. @param signal ends waiting for others @throws {DatabaseError} */
export type OpenDatabase = (
  datasource: Datasource,
  environment: SqlEnvironment,
  signal?: AbortSignal,
) => Promise<Database>;
