import type { FileIdentity } from "../../migrations/runner/mod.ts";
import { field, isObject, listOf } from "../../migrations/search/json/json_values.ts";

/**
 * Where the copy of an index stands: written before each of its steps into the journal, so that the run that follows one
 * that was killed can go on, or undo it.
 */
export interface CopyState {
  readonly hash: string;
  /** What applications call the index: `orders`. */
  readonly name: string;
  /** The index that is copied; `name` itself before its first copy. */
  readonly from: string;
  readonly to: string;
  /** Who held it, the last one last: names of their markers end with it. */
  readonly runs: readonly string[];
  /**
   * `new`: the new index is being made. `copying`: rounds. `blocked`: a block that we set may stand on the old index.
   * `done`: the alias has been switched.
   */
  readonly phase: "new" | "copying" | "blocked" | "done";
  /** Aliases of the old index that are kept for writing while a template gives them to the new one, too. */
  readonly pinned?: readonly string[];
  /** Settings of the new index that are other ones as long as it is copied into, with the values they have to have. */
  readonly restore?: Readonly<Record<string, string | null>>;
  /** By shard: up to which sequence number everything has arrived. */
  readonly since?: Readonly<Record<string, number>>;
  readonly isCopied?: boolean;
  readonly pipeline?: string;
  readonly round: number;
  readonly task?: string;
  /** Where the data of an index is kept whose name becomes an alias, the last attempt last. */
  readonly backups?: readonly string[];
  readonly policy?: string;
}

const PHASES: readonly CopyState["phase"][] = ["new", "copying", "blocked", "done"];

/** What tells the content that a copy is made for from another: the bytes of the file, and what is filled into them. */
export function copyKey({ hash, values }: Pick<FileIdentity, "hash" | "values">): string {
  return values ? `${hash}-${values.hash}` : hash;
}

export function copyStateOf(resume: unknown): CopyState | undefined {
  const isOne = isObject(resume) && typeof field(resume, "to") === "string" &&
    typeof field(resume, "from") === "string" && listOf(field(resume, "runs")).length > 0 &&
    PHASES.includes(field(resume, "phase") as CopyState["phase"]);
  return isOne ? resume as unknown as CopyState : undefined;
}

export function describeCopy({ name, from, to, phase, isCopied }: CopyState): string {
  switch (phase) {
    case "new":
      return `'${to}' is being made to follow '${from}'; '${name}' is as it was`;
    case "copying": {
      const progress = isCopied ? "everything was copied once" : "the first copy is not complete";
      return `'${from}' is being copied into '${to}' (${progress}); writes go on`;
    }
    case "blocked":
      return `writes to '${from}' are refused (403), unless its copy '${to}' has taken its place already: run ` +
        "'migrate' to go on, or 'resolve <file> --abandon' to give it up";
    case "done":
      return `'${name}' is '${to}' already`;
  }
}

export function newRun(): string {
  return crypto.randomUUID().slice(0, 13);
}

/** Alias of the new index that says whose it is: what is written through it fails once another run has taken over. */
export function copyMarker({ runs }: Pick<CopyState, "runs">): string {
  return `irori-copy-${runs.at(-1)}`;
}

export function sourceMarker({ runs }: Pick<CopyState, "runs">): string {
  return `irori-from-${runs.at(-1)}`;
}

/** Alias of the new index that the cluster's own copies write through: it lasts as long as the copy, across runs. */
export function copyTarget({ runs }: Pick<CopyState, "runs">): string {
  return `irori-into-${runs[0]}`;
}

export class KeptState {
  #last: Promise<void> = Promise.resolve();

  constructor(
    private state: CopyState,
    private readonly write: (state: CopyState) => Promise<void>,
  ) {}

  get current(): CopyState {
    return this.state;
  }

  async change(change: Partial<CopyState>): Promise<void> {
    await this.#next((state) => ({ ...state, ...change }));
  }

  /** The task of the journal is over, or no longer has a run. */
  async endTask(): Promise<void> {
    if (this.state.task === undefined) return;
    await this.#next(({ task: _, ...rest }) => rest);
  }

  /** Changes follow each other: each is written with those before it. */
  #next(change: (state: CopyState) => CopyState): Promise<void> {
    const written = this.#last.then(async () => {
      const next = change(this.state);
      await this.write(next);
      this.state = next;
    });
    this.#last = written.catch(() => {});
    return written;
  }
}
