import type { TerminationSignal } from "../runtime/mod.ts";

export class UsageError extends Error {
  override readonly name: string = "UsageError";

  /** @param file that cannot be used */
  constructor(message: string, options: ErrorOptions = {}, readonly file?: string) {
    super(message, options);
  }
}

export class StopError extends Error {
  override readonly name = "StopError";

  constructor(
    readonly signal: TerminationSignal,
  ) {
    super(`Stopped by ${signal}`);
  }
}

export class ArgumentError extends UsageError {
  override readonly name = "ArgumentError";
}
