/** The clock of scheduled tasks without a database. Tests of applications take a `FakeClock` of `@irori/irori/testing`. */
export interface Clock {
  /** Whether it is never set, so that tasks need not look at it before they are due. @default false */
  readonly isSteady?: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after a time in milliseconds. @returns what prevents that */
  schedule(milliseconds: number, callback: () => unknown): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  schedule(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A tick that was claimed, or skipped because the one before it ran. */
export interface Tick {
  readonly name: string;
  /** The scheduled instant, in milliseconds since 1970, as the other times are. */
  readonly due: number;
  readonly state: "running" | "done" | "failed" | "abandoned" | "skipped";
  readonly started: number;
  readonly ended?: number;
  readonly error?: string;
}

/** The result of a claim: `early` where the clock of the database has not reached the instant. */
export type Claim = "started" | "taken" | "skipped" | "early";

export interface Ticks {
  /** Milliseconds since 1970 by the clock that decides, as of the last {@linkcode sync} and the time since then. */
  readonly now: number;
  /** Seconds within which {@linkcode sync} has to be called again. */
  readonly lease?: number;
  /**
   * Reads the clock, renews the leases of ticks that run here, and records those of dead replicas as abandoned.
   *
   * @param running the ticks that run here
   */
  sync(running: readonly Tick[]): Promise<{
    /** Those that others have recorded as abandoned. */
    readonly lost: readonly Tick[];
    readonly abandoned: readonly Tick[];
  }>;
  /**
   * Starts a tick unless it, or a later one of the same name, was claimed or skipped before.
   *
   * @param recordsSkip whether a tick that meets a running one is recorded as skipped
   */
  claim(name: string, due: number, recordsSkip: boolean): Promise<Claim>;
  /** The last tick of a name that is not in the future. */
  last(name: string): Promise<Tick | undefined>;
  /** Records the end of a tick. @param error why it failed */
  end(tick: Tick, error?: string): Promise<void>;
}

/** In this process, for applications without a database and for tests. */
export class MemoryTicks implements Ticks {
  readonly #ticks = new Map<string, Tick[]>();
  readonly #running = new Set<string>();

  constructor(readonly clock: Clock) {}

  get now(): number {
    return this.clock.now();
  }

  sync(): ReturnType<Ticks["sync"]> {
    return Promise.resolve({ lost: [], abandoned: [] });
  }

  claim(name: string, due: number, recordsSkip: boolean): Promise<Claim> {
    const ticks = this.#ticks.get(name) ?? [];
    this.#ticks.set(name, ticks);
    // Those that are not due are of a time when the clock was ahead.
    const isTaken = ticks.some((tick) =>
      tick.due === due || tick.due > due && tick.due <= this.now
    );
    if (isTaken) return Promise.resolve("taken");
    if (this.now < due) return Promise.resolve("early");
    const isBusy = this.#running.has(name);
    if (isBusy && !recordsSkip) return Promise.resolve("taken");
    const state = isBusy ? "skipped" : "running";
    ticks.push({ name, due, state, started: this.now });
    if (ticks.length > 1000) ticks.shift();
    if (isBusy) return Promise.resolve("skipped");
    this.#running.add(name);
    return Promise.resolve("started");
  }

  last(name: string): Promise<Tick | undefined> {
    const ticks = this.#ticks.get(name)?.filter(({ due }) => due <= this.now) ?? [];
    return Promise.resolve(ticks.sort((a, b) => a.due - b.due).at(-1));
  }

  end(tick: Tick, error?: string): Promise<void> {
    this.#running.delete(tick.name);
    const ticks = this.#ticks.get(tick.name)!;
    const index = ticks.findIndex(({ due }) => due === tick.due);
    const state = error === undefined ? "done" : "failed";
    const ended = { ...tick, state, ended: this.now } as const;
    if (index >= 0) ticks[index] = error === undefined ? ended : { ...ended, error };
    return Promise.resolve();
  }
}
