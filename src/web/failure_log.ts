/**
 * Where failures are logged: at `ERROR` those of the application, at `DEBUG` those that need no action, as the
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
