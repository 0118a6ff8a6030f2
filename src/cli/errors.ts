import type { TerminationSignal } from "../runtime/mod.ts";

/** An invalid command line. Exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The process received a signal. Exit code 130 or 143. */
export class StopError extends Error {
  override readonly name = "StopError";

  constructor(
    readonly signal: TerminationSignal,
  ) {
    super(`Stopped by ${signal}`);
  }
}

/** Invalid arguments, which `--help` explains. */
export class ArgumentError extends UsageError {
  override readonly name = "ArgumentError";
}
