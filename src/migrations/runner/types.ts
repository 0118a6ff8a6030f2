/** A migration file as it was found on disk. */
export interface MigrationFile {
  /** Path below the connection's folder, with `/` on every system: the identity of the file. */
  readonly path: string;
  /** Absolute path on this machine, for messages. */
  readonly location: string;
  /** The raw bytes, a byte order mark included. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, 64 lower-case hexadecimal digits. */
  readonly hash: string;
}

/** A file and what its target understood it to be. Targets extend this with what they need to apply it. */
export interface Migration {
  /** The file itself. */
  readonly file: MigrationFile;
  /** What the file is: `template`, `policy`, `index`, `request`, `sql`. */
  readonly kind: string;
  /** What it works on, for people: `logs`, `PUT /logs/_mapping`. */
  readonly resource: string;
  /** What an edited file that was applied before does: run again, or stop the run. */
  readonly onChange: "reapply" | "fail";
  /** Whether doing it twice does no harm; when `false`, an interrupted run needs `resolve`. */
  readonly repeatSafe: boolean;
}

/** What is remembered of a file that was applied. */
export interface MigrationRecord {
  /** Path below the folder. */
  readonly path: string;
  /** SHA-256 of the file that was applied. */
  readonly hash: string;
  /** When it was applied last. */
  readonly executedAt: Date;
  /** By whom, `host-pid-run`. */
  readonly executedBy?: string;
  /** Milliseconds. */
  readonly durationMs?: number;
  /** What the file was. */
  readonly kind?: string;
  /** What it worked on. */
  readonly resource?: string;
}

/** Where a run that was cut off stood. */
export interface Interruption {
  /** Path below the folder. */
  readonly path: string;
  /** Hash of the file that was being applied. */
  readonly hash: string;
  /** What is known about how far it came, as a sentence without its final period. */
  readonly detail?: string;
}

/** What a target knows about earlier runs of the files it was asked about. */
export interface History {
  /** By path. */
  readonly records: ReadonlyMap<string, MigrationRecord>;
  /** Files that an earlier run announced or began and did not record, in order. */
  readonly interrupted: readonly Interruption[];
  /** Paths of files to apply again though they did not change: an earlier file for their resource did. */
  readonly again?: ReadonlySet<string>;
  /** Whether taking the lock has something to put right even when no file has to be applied. */
  readonly unsettled?: boolean;
}

/** What came of applying one file. */
export interface Applied {
  /** `skipped` when another run had done it in the meantime. */
  readonly outcome: "applied" | "skipped";
  /** Something worth saying about it, for example that an index was there already. */
  readonly note?: string;
}

/** What is wrong with a file, or worth a warning. */
export interface FileProblem {
  /** Whether it stops a run. */
  readonly severity: "error" | "warning";
  /** Path below the folder. */
  readonly path: string;
  /** A sentence without its final period. */
  readonly message: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in characters. */
  readonly column?: number;
  /** The line of the file that the problem is in. */
  readonly source?: string;
}

/**
 * One connection that migrations are applied to: what SQL databases and search clusters have in common.
 * Everything before `open()` is pure and sends nothing.
 */
export interface Target<M extends Migration = Migration> {
  /** The connection's name, also the name of its folder. */
  readonly connection: string;
  /** Extension of its files, `.json` or `.sql`. */
  readonly extension: string;
  /**
   * Says what a file is.
   * @throws {InvalidFileError} when it cannot be applied at all
   */
  classify(file: MigrationFile): M;
  /** What is wrong between files, such as two files for one resource. Files come in order. */
  check(migrations: readonly M[]): readonly FileProblem[];
  /** Connects. @throws {ConnectionError} */
  open(): Promise<Session<M>>;
}

/** An open connection during one run. */
export interface Session<M extends Migration = Migration> {
  /** Requests or statements sent so far, reads and records included. */
  readonly requests: number;
  /** Reads what is recorded for these files. Nothing is written. */
  read(migrations: readonly M[]): Promise<History>;
  /**
   * Takes the lock for applying `pending`, waiting for another run if need be, and returns the history that
   * holds under the lock: `history` itself when nobody ran since it was read.
   * @throws {LockedError} when another run holds it for too long
   */
  lock(migrations: readonly M[], history: History, pending: readonly M[]): Promise<History>;
  /**
   * Applies one file and records it. With `last` the lock may be released in the same request.
   * @throws {MigrationFailedError} when the server refuses it
   * @throws {ConnectionError} when the server cannot be reached
   */
  apply(migration: M, options: ApplyOptions): Promise<Applied>;
  /** Gives the lock back; does nothing when it is not held. */
  unlock(): Promise<void>;
  /** Every record of the connection by path, files that are gone included. Nothing is written. */
  all(): Promise<ReadonlyMap<string, MigrationRecord>>;
  /** Records files as applied without applying them. @throws {LockedError} */
  record(migrations: readonly M[]): Promise<void>;
  /**
   * Settles what became of a file that a run was cut off in: it is applied, or the next run applies it.
   *
   * @returns whether there was something to settle
   * @throws {LockedError} when another run is going on
   */
  resolve(migration: M, answer: "applied" | "retry"): Promise<boolean>;
  /** What applying the file would send, and how the live resource differs from it. Nothing is written. */
  preview(migration: M, previous?: MigrationRecord): Promise<Preview>;
  /** Where live resources are no longer as these applied files say; for targets that can be asked. */
  drift?(migrations: readonly M[]): Promise<readonly Drift<M>[]>;
  /** Gives up its connections. */
  close(): Promise<void>;
}

/** What a session knows about the file besides. */
export interface ApplyOptions {
  /** The record of the last time this file was applied. */
  readonly previous?: MigrationRecord;
  /** Whether this is the run's last file. */
  readonly last: boolean;
}

/** What applying a file would do. */
export interface Preview {
  /** Requests (method and path; then, on lines of its own, the body) or statements, in order. */
  readonly requests: readonly string[];
  /** Against the live resource; left out where there is nothing to compare with. */
  readonly differences?: readonly Difference[];
  /** Something worth saying, for example that it does not exist yet. */
  readonly note?: string;
}

/** One place where a live resource is not as a file says. */
export interface Difference {
  /** Names joined by dots, `template.settings.index.number_of_shards`; empty for the whole. */
  readonly path: string;
  /** What the file says. */
  readonly wanted: unknown;
  /** What is there, `undefined` when nothing. */
  readonly live: unknown;
}

/** A file whose resource is no longer as the file says. */
export interface Drift<M extends Migration = Migration> {
  /** The file. */
  readonly migration: M;
  /** What differs: `index_template logs`. */
  readonly resource: string;
  /** In what. */
  readonly differences: readonly Difference[];
  /** Something worth saying, for example that it does not exist. */
  readonly note?: string;
}

/** What a run did with one file. */
export interface MigrationResult {
  /** Name of the connection. */
  readonly connection: string;
  /** Path below the connection's folder. */
  readonly file: string;
  /** What happened to it. */
  readonly outcome: "applied" | "reapplied" | "skipped" | "failed" | "not run";
  /** What the file is: `template`, `policy`, `index`, `request`, `sql`. */
  readonly kind: string;
  /** What it works on, for people. */
  readonly resource: string;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Requests or statements that were sent for this file. */
  readonly requests: number;
  /** Something worth saying about it. */
  readonly note?: string;
  /** Why it failed. */
  readonly error?: Error;
}

/** What a run tells while it goes on. The library itself never prints. */
export type RunEvent =
  | {
    /** A file in the folder that is no migration: hidden, or of another extension. */
    readonly type: "ignored";
    readonly connection: string;
    readonly file: string;
  }
  | {
    readonly type: "planned";
    readonly connection: string;
    readonly files: number;
    readonly pending: number;
  }
  | {
    readonly type: "started";
    readonly connection: string;
    readonly migration: Migration;
    readonly position: number;
    readonly total: number;
  }
  | {
    readonly type: "finished";
    readonly result: MigrationResult;
    readonly position: number;
    readonly total: number;
  }
  | {
    readonly type: "notice";
    readonly connection: string;
    readonly message: string;
    readonly file?: string;
  };

/** What goes along with a run. */
export interface RunOptions {
  /** Takes what the run tells. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Aborting it finishes and records the file in hand, gives the lock back and leaves the rest. */
  readonly signal?: AbortSignal;
}
