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
const CODES: readonly (readonly [number, ...(new (...args: never[]) => Error)[]])[] = [
  [EXIT.interrupted, InterruptedError],
  [EXIT.failed, MigrationFailedError],
  [EXIT.invalid, InvalidFilesError],
  [EXIT.usage, UsageError, ConfigError, MissingFolderError, HistoryError, ConfirmationError],
  [EXIT.usage, FeatureError, PackageNotFoundError, FileWriteError],
  [EXIT.locked, LockedError],
  [EXIT.connection, ConnectionError],
];

export function exitCodeOf(error: Error): number {
  if (error instanceof StopError) return exitCodeOfSignal(error.signal);
  return CODES.find(([, ...types]) => types.some((type) => error instanceof type))?.[0] ??
    EXIT.unexpected;
}

/** The exit code of failed connections is the worst: a server that cannot be reached counts least. */
export function exitCodeOfAll(errors: readonly Error[]): number | undefined {
  const codes = errors.map(exitCodeOf);
  const worstFirst = [EXIT.unexpected, ...CODES.map(([code]) => code)];
  return worstFirst.find((code) => codes.includes(code)) ?? codes[0];
}
