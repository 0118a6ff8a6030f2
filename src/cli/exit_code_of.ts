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

const CODES: readonly (readonly [new (...args: never[]) => Error, number])[] = [
  [UsageError, EXIT.usage],
  [ConfigError, EXIT.usage],
  [MissingFolderError, EXIT.usage],
  [HistoryError, EXIT.usage],
  [ConfirmationError, EXIT.usage],
  [FeatureError, EXIT.usage],
  [PackageNotFoundError, EXIT.usage],
  [FileWriteError, EXIT.usage],
  [InvalidFilesError, EXIT.invalid],
  [LockedError, EXIT.locked],
  [ConnectionError, EXIT.connection],
  [MigrationFailedError, EXIT.failed],
  [InterruptedError, EXIT.interrupted],
];

export function exitCodeOf(error: Error): number {
  if (error instanceof StopError) return exitCodeOfSignal(error.signal);
  return CODES.find(([type]) => error instanceof type)?.[1] ?? EXIT.unexpected;
}

/** The exit code of failed connections: a server that cannot be reached counts least. */
export function exitCodeOfAll(errors: readonly Error[]): number | undefined {
  const codes = errors.map(exitCodeOf);
  return codes.find((code) => code !== EXIT.connection) ?? codes[0];
}
