import {
  isEmpty,
  type Json,
  listOf,
  objectOf,
  omit,
} from "../../migrations/search/json/json_values.ts";
import type { Checkpoints } from "./documents.ts";

/** The steps that are recorded, by what the journal calls them: a run that was killed continues by the last of them. */
const PHASES = {
  make: "new",
  copy: "copying",
  /** Everything was copied once: rounds bring what has changed since. */
  catchUp: "copying",
  /** A block that we set may stand on the old index. */
  block: "blocked",
  finish: "done",
} as const;

export type RecordedStep = keyof typeof PHASES;

/** Where the copy of an index stands: written before each of its steps, so that the next run can go on, or undo it. */
export interface CopyState {
  readonly step: RecordedStep;
  readonly hash: string;
  /** Applications use this name for the index: `orders`. */
  readonly name: string;
  /** The index that is copied; `name` itself before its first copy. */
  readonly from: string;
  readonly to: string;
  /** The ids of the runs that held the copy, the last one last: names of their markers end with them. */
  readonly runs: readonly string[];
  readonly round: number;
  readonly task?: string | undefined;
  readonly pipeline?: string | undefined;
  readonly policy?: string | undefined;
  /** Aliases of the old index that are kept for writing while a template gives them to the new one, too. */
  readonly pinned: readonly string[];
  /** Settings of the new index that are other ones as long as it is copied into, with the values they have to have. */
  readonly restore: Readonly<Record<string, string | null>>;
  /** By shard: up to which sequence number everything has arrived; empty until the first copy. */
  readonly since: Checkpoints;
  /** Where the data of an index is kept whose name becomes an alias, the last attempt last. */
  readonly backups: readonly string[];
}

const NOTHING = { round: 0, pinned: [], restore: {}, since: {}, backups: [] };

export function newCopy(
  about: Pick<CopyState, "hash" | "name" | "from" | "to" | "pipeline" | "pinned">,
): CopyState {
  return { ...NOTHING, ...about, step: "make", runs: [newRun()] };
}

/** Reads a record, also one of an earlier version: what is missing in it is empty. */
export function copyStateOf(resume: unknown): CopyState | undefined {
  const { to, from, runs, phase, isCopied, ...rest } = objectOf(resume);
  const steps = (Object.keys(PHASES) as RecordedStep[]).filter((step) => PHASES[step] === phase);
  const step = isCopied ? steps.at(-1) : steps[0];
  const isOne = typeof to === "string" && typeof from === "string" && listOf(runs).length > 0;
  if (!isOne || step === undefined) return undefined;
  return { ...NOTHING, ...rest, step, from, to, runs } as unknown as CopyState;
}

/** A state as the journal gets it: what is empty is left out. */
function written({ step, ...state }: CopyState): Json {
  const isCopied = step !== "make" && step !== "copy" || undefined;
  return omit(
    { ...state, phase: PHASES[step], isCopied },
    (value) => value === undefined || isEmpty(value) || Array.isArray(value) && value.length === 0,
  );
}

export function describeCopy({ name, from, to, step }: CopyState): string {
  const copying = `'${from}' is being copied into '${to}'`;
  return {
    make: `'${to}' is being made to follow '${from}'; '${name}' is as it was`,
    copy: `${copying} (the first copy is not complete); it blocks no writes`,
    catchUp: `${copying} (everything was copied once); it blocks no writes`,
    block:
      `writes to '${from}' are refused (403), unless its copy '${to}' has taken its place already: run ` +
      "'migrate' to go on, or 'resolve <file> --abandon' to give it up",
    finish: `'${name}' is '${to}' already`,
  }[step];
}

function newRun(): string {
  return crypto.randomUUID().slice(0, 13);
}

export function ofNewRun(state: CopyState): CopyState {
  return { ...state, runs: [...state.runs, newRun()] };
}

export const MARKS = { copy: "irori-copy-", from: "irori-from-" };

/** Alias of the new index that says whose it is: what is written through it fails once another run has taken over. */
export function copyMarker({ runs }: Pick<CopyState, "runs">): string {
  return `${MARKS.copy}${runs.at(-1)}`;
}

export function sourceMarker({ runs }: Pick<CopyState, "runs">): string {
  return `${MARKS.from}${runs.at(-1)}`;
}

/** Alias of the new index that the cluster's own copies write through: it lasts as long as the copy, across runs. */
export function copyTarget({ runs }: Pick<CopyState, "runs">): string {
  return `irori-into-${runs[0]}`;
}

export class CopyRecord {
  #last: Promise<void> = Promise.resolve();
  /** Whether this run has undone a copy, or finished that of an earlier run. */
  isSettled = false;

  constructor(
    public known: CopyState | undefined,
    private readonly save: (resume: Json) => Promise<void>,
  ) {}

  get current(): CopyState {
    if (this.known === undefined) throw new Error("No copy was begun");
    return this.known;
  }

  /** Changes follow each other: each is written with those before it. The first one is a whole state. */
  change(change: Partial<CopyState>): Promise<void> {
    const changed = this.#last.then(async () => {
      const next = { ...this.known, ...change } as CopyState;
      await this.save(written(next));
      this.known = next;
    });
    this.#last = changed.catch(() => {});
    return changed;
  }

  async endTask(): Promise<void> {
    if (this.current.task !== undefined) await this.change({ task: undefined });
  }

  forget(): void {
    this.known = undefined;
    this.isSettled = true;
  }
}
