import type { TerminationSignal } from "../runtime/mod.ts";

/** A command line that makes no sense. Exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The process was asked to end. Exit code 130 or 143. */
export class StopError extends Error {
  override readonly name = "StopError";

  constructor(
    /** What asked. */
    readonly signal: TerminationSignal,
  ) {
    super(`Stopped by ${signal}`);
  }
}

/** Arguments that make no sense, which `--help` explains. */
export class ArgumentError extends UsageError {
  override readonly name = "ArgumentError";
}
