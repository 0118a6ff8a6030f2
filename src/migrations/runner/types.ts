import type { Offering } from "./keys.ts";
import type { Listing } from "./order.ts";
import type { FileProblem, Preview, WorkProgress } from "./results.ts";

export interface FileIdentity {
  /** Path below the connection's folder, with `/` on every system: the identity of the file. */
  readonly path: string;
  /** Absolute path on this machine, for messages. */
  readonly location: string;
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  readonly hash: string;
  /** The values of its placeholders; absent where it uses no placeholder that is declared. */
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
  readonly kind: string;
  /** The resource that it changes, for people: `logs`, `PUT /logs/_mapping`. */
  readonly resource: string;
  /** The effect of an edit after the file was applied: it runs again, or stops the run. */
  readonly onChange: "reapply" | "fail";
  /** Whether its place does not matter: it runs again after each edit, or after what contradicts it. */
  readonly unordered?: boolean;
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
  /** Names of indices that applying it has replaced and left on the server, for `prune`. */
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
  /** The state of work of many steps, to go on where it was interrupted; the executor's own, and JSON. */
  readonly resume?: Readonly<Record<string, unknown>>;
  readonly again?: Date;
}

type Resume = Attempt["resume"];

export interface JournalEntry {
  readonly path: string;
  readonly applied?: MigrationRecord;
  readonly attempt?: Attempt;
}

export interface JournalState {
  /** By path: of the files that were asked for, and whatever else was begun and not recorded. */
  readonly entries: ReadonlyMap<string, JournalEntry>;
  /** The holder of the lock, as far as one read can tell: until it is given back, begun work may be going on. */
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
  write(entries: readonly JournalEntry[], options?: { readonly release?: boolean }): Promise<void>;
  unlock(): Promise<void>;
  /**
   * Cancels what the server still does of a file for a dead run. The lock is held meanwhile, so that no active run is
   * cancelled.
   *
   * @returns what was ended, as a sentence without its final period, and what is recorded of the file; `undefined` where
   * there was nothing, or the server does nothing by itself
   * @throws {LockedError} when another run is going on, or it does not end
   */
  cancel(
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
  check(migrations: readonly M[]): readonly FileProblem[];
  /** Files that have to be applied again, though unchanged, because an earlier one for the same resource will be. */
  followers(migrations: readonly M[], pending: ReadonlySet<string>): ReadonlySet<string>;
}

export interface Executor<M extends Migration = Migration> extends Classifier<M> {
  /** Applies one file. @throws {ExecutionError} which says what the failure has left behind */
  execute(migration: M, work: Work): Promise<Applied>;
  explain(attempt: Attempt, migration?: M): string;
  /** The remains of an earlier attempt in the way of the file, as a sentence without its final period. */
  obstacle(migration: M): Promise<string | undefined>;
  /** The requests that applying the file would send, and the differences to the live resource. Nothing is written. */
  preview(migration: M, previous?: MigrationRecord): Promise<Preview>;
}

export interface CutOffWork extends Offering, Pick<Work, "ensureHeld" | "signal"> {
  /** Path of its file below the connection's folder; the file itself may no longer exist. */
  readonly file: string;
  readonly save: (resume: NonNullable<Attempt["resume"]>) => Promise<void>;
}

export interface Work {
  /** The entry of the file before: with an attempt that is running or partial, it may have been done. */
  readonly entry: JournalEntry;
  /** Gives the entry that says that the file is applied; for executors that commit it with a transactional file. */
  readonly applied: (result: Applied) => JournalEntry;
  /** Throws when the run may not go on; called before each request that changes something. */
  readonly ensureHeld: () => Promise<void>;
  readonly progress: (progress: Pick<Attempt, "statements" | "task" | "resume">) => Promise<void>;
  /** Records what a later file of the run has to go on with, also if this run never comes to it. */
  readonly begin: (path: string, change: (resume: Resume) => Resume) => Promise<void>;
  readonly onProgress?: (progress: WorkProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Applied {
  readonly note?: string;
  /** How a resource was changed that is written only where it differs. */
  readonly change?: "created" | "updated" | "same";
  readonly version?: DocumentVersion;
  readonly leftBehind?: readonly string[];
}
