/**
 * Where failures go: at `ERROR` those that are the application's fault, at `DEBUG` what nobody has to look at, as the
 * application has handled it or the client has left.
 *
 * @internal
 */
export type FailureLog = (message: string, error: unknown, level: FailureLevel) => void;

/**
 * How much a failure matters.
 *
 * @internal
 */
export type FailureLevel = "ERROR" | "DEBUG";
