import type { TerminationSignal } from "../runtime/mod.ts";
import { nearest } from "../text/mod.ts";

export class UsageError extends Error {
  override readonly name: string = "UsageError";

  readonly file?: string;
  readonly line?: number;
  readonly column?: number;

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

  constructor(readonly signal: TerminationSignal) {
    super(`Stopped by ${signal}`);
  }
}

export class ArgumentError extends UsageError {
  override readonly name = "ArgumentError";
}

/** `(Did you mean migrate?)` on its own line; empty if no name is similar. */
export function suggestion(written: string, names: readonly string[]): string {
  const other = OTHERS[written];
  if (other !== undefined) return `\n(${other})`;
  const near = nearest(written, names);
  if (near.length === 0) return "";
  return `\n(Did you mean ${near.length > 1 ? "one of " : ""}${near.join(", ")}?)`;
}

const UNDO = "There are no down migrations: add a file that undoes the change";
const OTHERS: Readonly<Record<string, string>> = {
  down: UNDO,
  rollback: UNDO,
  undo: UNDO,
  info: "Use 'status'",
  repair: "Use 'resolve' for an interrupted file, 'baseline --changed' for an edited one",
  up: "Use 'migrate'",
};
