/**
 * The access to the runtime, with `web.ts`: no other folder names `Deno`, `Bun` or `process`. Exports stand by name,
 * since a bundler keeps more of a module that is passed on whole.
 */
export type * from "./types.ts";
export {
  ConnectError,
  FileExistsError,
  FileNotFoundError,
  FileWriteError,
  ListenError,
  PackageNotFoundError,
} from "./errors.ts";
export {
  flushTelemetry,
  INSTRUMENTATION,
  markFailed,
  meterProvider,
  tracerProvider,
} from "./shared/opentelemetry.ts";
export { crc32 } from "./shared/builtin.ts";
export { CRONER, notInstalled, packageMissing, PACKAGES, PG_BOSS } from "./shared/packages.ts";
export { loadRuntime } from "./load.ts";
export { requireSupported } from "./_supported.ts";
export { type PemKind, pemProblem } from "./shared/pem.ts";
export { exitCodeOfSignal, exitWhenWritten, runToEnd } from "./shared/process.ts";
export { startThread } from "./shared/thread.ts";
export { orAborted, pauses, within } from "./shared/within.ts";
