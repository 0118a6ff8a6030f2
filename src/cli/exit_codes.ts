import { ConfigError } from "../config/mod.ts";
import {
  ConnectionError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  MissingFolderError,
} from "../migrations/runner/mod.ts";
import type { TerminationSignal } from "../runtime/mod.ts";
import { UsageError } from "./errors.ts";

/** What the command line's exit codes mean; `--help` prints this table. */
export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "unexpected error"],
  ["2", "usage or configuration"],
  ["3", "invalid migration files, nothing was sent"],
  ["4", "files are pending or changed ('status --check'), or stale ('scan --check')"],
  ["5", "live resources differ from the files ('drift')"],
  ["6", "locked by another run"],
  ["7", "no connection, or the credentials were refused"],
  ["8", "a migration failed"],
  ["9", "an interrupted run needs 'resolve'"],
  ["130, 143", "stopped by SIGINT, SIGTERM"],
];

/** The exit code of a run that stopped with `error`. */
export function exitCodeOf(error: Error): number {
  if (error instanceof UsageError || error instanceof ConfigError) return 2;
  if (error instanceof MissingFolderError) return 2;
  if (error instanceof InvalidFilesError) return 3;
  if (error instanceof LockedError) return 6;
  if (error instanceof ConnectionError) return 7;
  if (error instanceof MigrationFailedError) return 8;
  if (error instanceof InterruptedError) return 9;
  return 1;
}

/** The exit code of a run that was stopped: 128 plus the number of the signal, as shells have it. */
export function exitCodeOfSignal(signal: TerminationSignal): number {
  return signal === "SIGINT" ? 130 : 143;
}
