import { ConfigError } from "../config/mod.ts";
import { BEAN_ERRORS, DuplicateBeanError } from "../container/mod.ts";
import { ListenError } from "../runtime/mod.ts";
import { MappingError } from "../web/mod.ts";

/** A file that the component scan cannot import. */
export class ScanError extends Error {
  override readonly name = "ScanError";

  /** @param message names the file, and says why it could not be imported */
  constructor(message: string, readonly path: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The bean `errorController` is no error controller. */
export class ErrorControllerError extends TypeError {
  override readonly name = "ErrorControllerError";
}

const OWN = [
  ...BEAN_ERRORS,
  DuplicateBeanError,
  ConfigError,
  ErrorControllerError,
  MappingError,
  ScanError,
];

/** Runtimes print an error of the startup without frames; causes in code of the application keep theirs. */
export function withoutFrames(error: unknown): unknown {
  let isOfSystem = false;
  for (let one = error; one instanceof Error; one = one.cause) {
    // Those of migrations by their fields: their classes would be part of each application.
    isOfSystem ||= one instanceof ListenError || one.name === "MigrationRunError" ||
      typeof (one as { readonly connection?: unknown }).connection === "string";
    if (!isOfSystem && one.name !== "JobError" && !OWN.some((type) => one instanceof type)) break;
    one.stack = `${one.name}: ${one.message}`;
    if (one instanceof ScanError) break;
  }
  return error;
}
