import type { TerminationSignal } from "../runtime/mod.ts";

export class UsageError extends Error {
  override readonly name: string = "UsageError";

  readonly file?: string;
  readonly line?: number;
  readonly column?: number;

  /** @param place of what cannot be used */
  constructor(
    message: string,
    options: ErrorOptions = {},
    place: Pick<UsageError, "file" | "line" | "column"> = {},
  ) {
    super(message, options);
    Object.assign(this, place);
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
