/** A problem of a file, or a warning about it. */
export interface FileProblem {
  /** Whether it stops a run. */
  readonly severity: "error" | "warning";
  /** Path below the connection's folder. */
  readonly path: string;
  /** A sentence without its final period. */
  readonly message: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in characters. */
  readonly column?: number;
  /** The line of the file that the problem is in. */
  readonly source?: string;
  /** Whether the file would undo its own purpose, so that it must not even count as applied. */
  readonly undoes?: true;
  /** The rule that found it, if it is dangerous: the name that `-- irori: allow` takes. */
  readonly rule?: string;
  /** The sizes of the tables that it concerns, as far as they were looked up: lines of text. */
  readonly measured?: readonly string[];
  /** Advice, as lines of text. */
  readonly advice?: readonly string[];
}

/** The result of a run for one file. */
export interface MigrationResult {
  /** Name of the connection. */
  readonly connection: string;
  /** Path below the connection's folder. */
  readonly file: string;
  /** The result, in one word. */
  readonly outcome: "applied" | "reapplied" | "skipped" | "failed" | "not run";
  /** The kind of the file: `template`, `policy`, `index`, `request`, `sql`. Absent where it was not looked into. */
  readonly kind?: string;
  /** The resource that it changes, for people. Absent where it was not looked into. */
  readonly resource?: string;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Requests or statements that were sent for this file. */
  readonly requests: number;
  /** Something worth saying about it. */
  readonly note?: string;
  /** Why it failed. */
  readonly error?: Error;
}

export type PartOutcome = (RunEvent & { readonly type: "part" })["outcome"];

export interface RunReport {
  readonly connection: string;
  /** The tenant of a database, or the cluster of a fleet: results of unchanged files are left out. */
  readonly part?: string;
  readonly outcome?: PartOutcome;
  readonly results: readonly MigrationResult[];
  readonly error?: Error;
  readonly stopped: boolean;
  readonly requests: number;
}

export interface PlanNotice {
  readonly file?: string;
  readonly message: string;
  readonly problem?: FileProblem;
}

export interface Preview {
  /** Requests (method and path; then, on lines of its own, the body) or statements, in order. */
  readonly requests: readonly string[];
  /** Against the live resource; left out where there is nothing to compare with. */
  readonly differences?: readonly Difference[];
  readonly note?: string;
  readonly consequences?: readonly string[];
  readonly findings?: readonly FileProblem[];
}

export interface Difference {
  /** Names joined by dots, `template.settings.index.number_of_shards`; empty for the whole. */
  readonly path: string;
  readonly wanted: unknown;
  readonly live: unknown;
}

/** Where one file stands. */
export interface FileStatus {
  /** Path below the connection's folder. */
  readonly file: string;
  /**
   * `missing`: it was applied and then deleted. `interrupted`: a run was interrupted in it, and the next one asks about it, or
   * applies it although it is as it was recorded. `changed`: it is to be applied again.
   */
  readonly state: "applied" | "pending" | "changed" | "missing" | "interrupted";
  /** When it was applied last. */
  readonly executedAt?: Date;
  /** By whom. */
  readonly executedBy?: string;
  /** The facts about an interruption, or about work of many steps that goes on. */
  readonly known?: string;
}

/** How far long work on one file is. */
export interface WorkProgress {
  /** The current work, as a sentence without its final period. */
  readonly message: string;
  /** How many of `total` are done. */
  readonly done?: number;
  /** How many there are in all. */
  readonly total?: number;
  /** Number per second, if known. */
  readonly rate?: number;
  /** Remaining milliseconds, if known. */
  readonly leftMs?: number;
}

/** An event of a run while it goes on. The library itself never prints. */
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
    readonly file: string;
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
    /** Long work on one file goes on. */
    readonly type: "progress";
    readonly connection: string;
    readonly file: string;
    readonly progress: WorkProgress;
  }
  | {
    /** A part of `migrations.each` is done: one event for all of its files. */
    readonly type: "part";
    /** Connection and part: `shop[acme]`. */
    readonly connection: string;
    /** `gone`: the part disappeared during the run. */
    readonly outcome: "unchanged" | "migrated" | "failed" | "not run" | "gone";
    /** Its files, without those that are unchanged. */
    readonly results: readonly MigrationResult[];
    readonly position: number;
    readonly total: number;
  }
  | {
    readonly type: "notice";
    readonly connection: string;
    readonly message: string;
    readonly file?: string;
    /** The same with its place in the file, and what to do about it. */
    readonly problem?: FileProblem;
  };

export interface RunOptions {
  readonly onEvent?: (event: RunEvent) => void;
  /** Aborting it finishes and records the file in hand, gives the lock back and leaves the rest. */
  readonly signal?: AbortSignal;
  /** Whether irreversible changes are confirmed, as with `--yes`. @default false: such a run applies nothing */
  readonly yes?: boolean | undefined;
}
