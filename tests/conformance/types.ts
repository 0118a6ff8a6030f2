/** One request and what has to come back, as HTTP.md has it. */
export interface Case {
  /** The rule, in a few words. */
  readonly name: string;
  /** @default "GET" */
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made again for each run: streams and forms are used up. */
  readonly body?: () => BodyInit;
  readonly status: number;
  /** Exact values; `null` for a header that must not be there. */
  readonly responseHeaders?: Readonly<Record<string, string | null>>;
  /** The exact body, as text. */
  readonly text?: string;
  /** The body, parsed as JSON. */
  readonly json?: unknown;
  /** The `errors` of a problem (RFC 9457), or `true` for any problem of the status. */
  readonly problem?: true | readonly Record<string, string>[];
}

/** A request that `fetch` would not send, byte for byte, and the status line that has to come back. */
export interface RawCase {
  readonly name: string;
  readonly request: string;
  readonly status: number;
  /** A text that the answer has to hold, headers included. */
  readonly includes?: string;
  /** The body must not match it. */
  readonly excludes?: RegExp;
  /** Whether the connection ends before the body does. */
  readonly isCut?: true;
  /** Whether the connection may end before anything was sent. */
  readonly mayBeNothing?: true;
  /** Whether a server of another make, that of an edge isolate, answers as it pleases. */
  readonly isServers?: boolean;
}

export interface Outcome {
  readonly name: string;
  /** Empty when all is as it has to be. */
  readonly failures: readonly string[];
}
