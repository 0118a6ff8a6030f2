/** What scheduled tasks go by without a database. Tests of applications take a `FakeClock` of `@irori/irori/testing`. */
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
