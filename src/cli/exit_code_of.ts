import { ConfigError } from "../config/mod.ts";
import {
  ConfirmationError,
  ConnectionError,
  FeatureError,
  HistoryError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  MissingFolderError,
} from "../migrations/runner/mod.ts";
import { exitCodeOfSignal, FileWriteError, PackageNotFoundError } from "../runtime/mod.ts";
import { StopError, UsageError } from "./errors.ts";
import { EXIT } from "./exit_codes.ts";

/** The worst first. */
const CODES: readonly (readonly [new (...args: never[]) => Error, number])[] = [
  [InterruptedError, EXIT.interrupted],
  [MigrationFailedError, EXIT.failed],
  [InvalidFilesError, EXIT.invalid],
  [UsageError, EXIT.usage],
  [ConfigError, EXIT.usage],
  [MissingFolderError, EXIT.usage],
  [HistoryError, EXIT.usage],
  [ConfirmationError, EXIT.usage],
  [FeatureError, EXIT.usage],
  [PackageNotFoundError, EXIT.usage],
  [FileWriteError, EXIT.usage],
  [LockedError, EXIT.locked],
  [ConnectionError, EXIT.connection],
];

export function exitCodeOf(error: Error): number {
  if (error instanceof StopError) return exitCodeOfSignal(error.signal);
  return CODES.find(([type]) => error instanceof type)?.[1] ?? EXIT.unexpected;
}

/** The exit code of failed connections is the worst: a server that cannot be reached counts least. */
export function exitCodeOfAll(errors: readonly Error[]): number | undefined {
  const codes = errors.map(exitCodeOf);
  const worstFirst = [EXIT.unexpected, ...CODES.map(([, code]) => code)];
  return worstFirst.find((code) => codes.includes(code)) ?? codes[0];
}
