import type { ForeignFiles, ForeignFindings } from "./foreign.ts";
import type { Listing } from "./order.ts";
import type { Drift, FileProblem, Preview, WorkProgress } from "./results.ts";

export interface FileIdentity {
  /** Path below the connection's folder, with `/` on every system: the identity of the file. */
  readonly path: string;
  /** Absolute path on this machine, for messages. */
  readonly location: string;
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  readonly hash: string;
  /** What the connection fills into it; absent where it uses no placeholder that is declared. */
  readonly values?: FileValues & {
    readonly names: readonly string[];
    readonly secretNames: readonly string[];
  };
}

export interface FileValues {
  /** SHA-256 of the names, and of the values that are no secrets. */
  readonly hash: string;
  /** Eight bits that tell whether secrets have changed, two hexadecimal digits; absent where it uses none. */
  readonly secrets?: string;
}

export interface MigrationFile extends FileIdentity {
  readonly listed?: Listing;
  /** Not kept: most files are only hashed. @throws {InvalidFilesError} also if they changed since then */
  read(): Promise<Uint8Array>;
}

export interface LoadedFile extends FileIdentity {
  readonly bytes: Uint8Array;
}

export interface Migration {
  readonly file: FileIdentity;
  /** What the file is: `template`, `policy`, `index`, `request`, `sql`. */
  readonly kind: string;
  /** What it works on, for people: `logs`, `PUT /logs/_mapping`. */
  readonly resource: string;
  /** What an edited file that was applied before does: run again, or stop the run. */
  readonly onChange: "reapply" | "fail";
  /** Whether the file itself says that it runs again after each edit, at whatever place it is. */
  readonly repeatable?: boolean;
  /** Whether doing it twice does no harm; when `false`, an interrupted run needs `resolve`. */
  readonly repeatSafe: boolean;
  /** Whether the executor commits the file and its entry together, so that there is nothing in between. */
  readonly transactional: boolean;
}

export interface MigrationRecord {
  readonly hash: string;
  readonly values?: FileValues;
  readonly executedAt: Date;
  readonly executedBy?: string;
  readonly durationMs?: number;
  readonly kind?: string;
  readonly resource?: string;
  readonly note?: string;
  /** Version of what was written, where the next write has to name it. Zero is a valid sequence number. */
  readonly version?: DocumentVersion;
  /** What applying it has replaced and left on the server, for `prune`: names of indices. */
  readonly leftBehind?: readonly string[];
}

export interface DocumentVersion {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** Something that a run has said it would do, and has not recorded as done. */
export interface Attempt {
  readonly hash: string;
  readonly values?: FileValues;
  /** `announced`: it was not begun. `running`: it may have been done. `partial`: a part of it is done for good. */
  readonly state: "announced" | "running" | "partial";
  /** Whether doing it again does no harm; absent where an older version wrote it: then the file as it is now tells. */
  readonly repeatSafe?: boolean;
  readonly owner?: string;
  readonly known?: string;
  readonly statements?: number;
  readonly task?: string;
  /** What work of many steps has to know to go on where it was cut off; the executor's own, and JSON. */
  readonly resume?: Readonly<Record<string, unknown>>;
  readonly again?: Date;
}

export interface JournalEntry {
  readonly path: string;
  readonly applied?: MigrationRecord;
  readonly attempt?: Attempt;
}

export interface JournalState {
  /** By path: of the files that were asked for, and whatever else was begun and not recorded. */
  readonly entries: ReadonlyMap<string, JournalEntry>;
  /** Who holds the lock, as far as one read can tell: until it is given back, what was begun may be going on. */
  readonly lockedBy?: LockHolder;
  /** Whether taking the lock puts something right even when no file has to be applied. */
  readonly unsettled: boolean;
  readonly isNew?: boolean;
  /** Other connections that have recorded these files, where this one has recorded none. @default none */
  readonly others?: readonly string[];
}

export interface LockHolder {
  readonly owner: string;
  /** Whether the holder has been silent for so long that it has probably died. */
  readonly stale: boolean;
}

/**
 * Where a connection's runs are recorded, and the lock that keeps two of them apart. Everything that is written is
 * written under the lock.
 *
 * Every method may throw a {@linkcode ConnectionError}; those that write a {@linkcode LockedError} when another run has
 * taken the lock or written what was to be written.
 */
export interface Journal {
  read(paths: readonly string[], hashes?: ReadonlyMap<string, string>): Promise<JournalState>;
  list(): Promise<ReadonlyMap<string, JournalEntry>>;
  /**
   * Takes the lock, waiting for another run if need be. What `plan` gives is announced in the same step as far as the
   * journal can; what it throws is thrown, and the lock not kept.
   *
   * @param state what was read before
   * @param plan called with the state under the lock: `state` itself when no run wrote since; may be called again
   * @throws {LockedError} when another run holds it for too long
   */
  lock(
    state: JournalState,
    plan: (state: JournalState) => Promise<ReadonlyMap<string, Attempt>>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** @throws {LockedError} when the lock is not held any more */
  ensureHeld(): Promise<void>;
  /** Writes entries as they are given: without `attempt` it is settled, without both the file counts as never applied. */
  write(
    entries: readonly JournalEntry[],
    options?: { readonly release?: boolean },
  ): Promise<void>;
  unlock(): Promise<void>;
  /**
   * Cancels what the server still does of a file for a dead run; absent where a server does nothing by itself. The
   * lock is held meanwhile, so that no active run is cancelled.
   *
   * @returns what was ended, as a sentence without its final period, and what is recorded of the file; `undefined` where
   * there was nothing
   * @throws {LockedError} when another run is going on, or it does not end
   */
  cancel?(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ readonly ended: string; readonly entry: JournalEntry } | undefined>;
}

/** Understands the files of one kind of connection. Pure: nothing is asked or sent. */
export interface Classifier<M extends Migration = Migration> {
  /** Whether files have to be checked against each other, and those that did not change are read too. */
  readonly comparesFiles: boolean;
  /** Whether a file is the same whether its lines end with LF or with CRLF. */
  readonly ignoresLineEnds: boolean;
  /** Classifies a file; its bytes may be released afterwards. @throws {InvalidFilesError} when it cannot be applied at all */
  classify(file: LoadedFile): M;
  /** What does not fit the schema of a file: warnings. Absent where files have none. */
  compare?(file: LoadedFile, schemas: JsonSchemas): Promise<readonly FileProblem[]>;
  check(migrations: readonly M[]): readonly FileProblem[];
  /** What is dangerous to apply, of files in order. Absent where nothing is known of that. */
  lint?(migrations: readonly M[], options: LintOptions): Promise<readonly FileProblem[]>;
  /** Unchanged files that have to be applied again, because an earlier one for the same resource will be. */
  followers(migrations: readonly M[], pending: ReadonlySet<string>): ReadonlySet<string>;
}

/** JSON Schemas by their names. */
export type JsonSchemas = Readonly<Record<string, object>>;

export interface LintOptions {
  /** Whether they are applied in one run: then no other client uses what an earlier one of them makes. @default false */
  readonly isRun?: boolean;
  /** Whether the sizes of the affected tables are looked up. @default false */
  readonly sizes?: boolean;
  /** Of all files, invalid ones included. @default those of the migrations */
  readonly paths?: readonly string[];
}

export interface Executor<M extends Migration = Migration> extends Classifier<M> {
  /** Applies one file. @throws {ExecutionError} which says what the failure has left behind */
  execute(migration: M, work: Work): Promise<Applied>;
  /**
   * Irreversible effects of applying these files now, as far as the server shows them. Nothing is written.
   * Asked under the lock, before the first file: those of severity `error` are applied only when confirmed.
   * Absent where nothing is known of that. Where it has to be known and is not, a run ends with an error, and others get a
   * warning.
   */
  dangers?(
    migrations: readonly M[],
    options?: Pick<LintOptions, "isRun">,
  ): Promise<readonly FileProblem[]>;
  explain(attempt: Attempt, migration?: M): string;
  /**
   * What an earlier attempt at the file has left that cannot be used and is in its way, as a sentence without its final
   * period. Absent where there is no such thing.
   */
  obstacle?(migration: M): Promise<string | undefined>;
  /** What applying the file would send, and how the live resource differs from it. Nothing is written. */
  preview(migration: M, previous?: MigrationRecord): Promise<Preview>;
  /** Absent where no work of a file outlives its run. */
  readonly copies?: Copies;
  /** Absent where the server's resources cannot be read back as files. */
  readonly live?: LiveResources<M>;
}

export interface Copies {
  abandon(attempt: Attempt, work: CutOffWork): Promise<Abandoned>;
  /** Unblocks writes that interrupted work blocks. Called in every run until the turn of its file continues or undoes it. */
  unblockWrites(attempt: Attempt, work: CutOffWork): Promise<void>;
  leftovers(entries: readonly JournalEntry[]): Promise<readonly Leftover[]>;
  prune(leftover: Leftover, work: Pick<Work, "ensureHeld">): Promise<boolean>;
}

export interface LiveResources<M extends Migration = Migration> {
  drift(
    migrations: readonly M[],
    recorded: ReadonlyMap<string, MigrationRecord>,
  ): Promise<readonly Drift[]>;
  /**
   * Files for the live resources that users have created.
   *
   * @throws {PullError} for a kind that is asked for and cannot be read
   */
  pull(which: PullSelection, migrations: readonly M[]): Promise<Pulled>;
}

export interface CutOffWork extends Pick<Work, "ensureHeld" | "signal"> {
  /** Path of its file below the connection's folder; the file itself may no longer exist. */
  readonly file: string;
  readonly save: (resume: NonNullable<Attempt["resume"]>) => Promise<void>;
}

export interface Abandoned extends Pick<Applied, "leftBehind"> {
  readonly message: string;
}

export interface PullSelection {
  readonly kinds?: readonly string[];
  readonly match?: string;
}

export interface Pulled {
  readonly files: readonly PulledFile[];
  readonly leftOut: readonly { readonly kinds: readonly string[]; readonly reason: string }[];
  readonly placeholders: readonly PulledPlaceholder[];
}

export interface PulledFile {
  readonly path: string;
  readonly text: string;
  readonly resource: string;
  readonly madeBy?: { readonly path: string; readonly isSame: boolean };
  readonly version?: DocumentVersion;
  /** Whether a part of what is live cannot be read, and so may be another than the file says: a password. */
  readonly hasHiddenFields?: true;
}

export interface PulledPlaceholder {
  readonly name: string;
  readonly of: string;
  readonly isDeclared: boolean;
}

export interface Leftover {
  readonly file: string;
  readonly name: string;
  readonly size: string;
}

export interface Work {
  /** What the journal said of the file before: with an attempt that is running or partial, it may have been done. */
  readonly entry: JournalEntry;
  /** Gives the entry that says that the file is applied; for executors that commit it with a transactional file. */
  readonly applied: (result: Applied) => JournalEntry;
  /** Throws when the run may not go on; called before each request that changes something. */
  readonly ensureHeld: () => Promise<void>;
  readonly progress: (progress: Pick<Attempt, "statements" | "task" | "resume">) => Promise<void>;
  readonly onProgress?: (progress: WorkProgress) => void;
  readonly signal?: AbortSignal;
}

export interface Applied {
  readonly note?: string;
  readonly version?: DocumentVersion;
  readonly leftBehind?: readonly string[];
}

export interface Session<M extends Migration = Migration> {
  readonly requests: number;
  readonly connection: string;
  readonly owner: string;
  readonly journal: Journal;
  /** Loaded when there is something to apply, to show or to compare; the same one each time. */
  executor(): Promise<Executor<M>>;
  /**
   * What others have left here: histories of migration tools, and tables. Nothing is written. Absent where that is not
   * supported.
   *
   * @param migrations of ours: given, a history that cannot be theirs, by their names, need not be looked for
   */
  foreign?(migrations?: readonly M[]): Promise<ForeignFindings>;
  /** Gives up its connections; a lock that is held is not given back, and ends as that of a killed run does. */
  close(): Promise<void>;
}

export interface TenantSelection {
  readonly only?: readonly string[] | undefined;
  readonly create?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Tenants {
  readonly list: readonly { readonly name: string; readonly target: Target }[];
  readonly atOnce: number;
  /** Those files that are applied once, to the connection itself, before the others. @throws {ConfigError} */
  shared(paths: readonly string[]): ReadonlySet<string>;
  /** Whether it existed at the start and does not exist any more. */
  isGone(name: string): Promise<boolean>;
  isUnreachable(): boolean;
  close(): Promise<void>;
}

/** One connection that migrations are applied to. Everything before `open()` sends nothing. */
export interface Target<M extends Migration = Migration> {
  readonly connection: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly extension: string;
  classifier(): Promise<Classifier<M>>;
  /**
   * The same files with what the connection fills into them; absent where it declares no placeholder, and files are not
   * looked at.
   */
  withValues?(files: readonly MigrationFile[]): Promise<readonly MigrationFile[]>;
  /** Turns files of other tools into files as ours; absent where none is known. */
  foreignFiles?(): Promise<ForeignFiles>;
  /** Done after a run that has applied something, when its session is closed; errors are reported, never thrown. */
  afterApplied?(signal?: AbortSignal): Promise<void>;
  /** What its files are applied to, if not to the connection itself. @throws {ConfigError | ConnectionError} */
  tenants?(which: TenantSelection): Promise<Tenants>;
  /** Connects. @param signal ends the waiting, that of later reads included; its reason is thrown @throws {ConnectionError} */
  open(signal?: AbortSignal): Promise<Session<M>>;
}
