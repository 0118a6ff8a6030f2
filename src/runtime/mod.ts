/**
 * The only access to the runtime: no other folder names `Deno`, `Bun` or `process`. Exports stand by name, since a
 * bundler keeps more of a module that is passed on whole.
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
export { CRONER, notInstalled, packageMissing, PACKAGES, PG_BOSS } from "./shared/packages.ts";
export { loadRuntime } from "./load.ts";
export * from "./shared/async_context.ts";
export { type Argon2id, argon2id, type Argon2Input } from "./shared/argon2.ts";
export { peerOf, shortestIpv6 } from "./shared/peer.ts";
export { declaresBody, expectBytes, joined, mayHaveBody, readBytes } from "./shared/read_bytes.ts";
export { directTarget, openRequest, readDirectly } from "./shared/direct_request.ts";
export {
  invalidateFastPath,
  JSON_FIELDS,
  NO_STORE,
  NOSNIFF,
  type ResponseMaker,
  responsesWith,
  streamedResponse,
} from "./shared/responses.ts";
export {
  isPlainSegment,
  type Lane,
  type LaneCall,
  type LaneRoute,
  type Reply,
  type Transport,
} from "./shared/lane.ts";
export { requireSupported } from "./_supported.ts";
export {
  globalUpgrade,
  type SocketHandle,
  type SocketListener,
  type UpgradeSocket,
  WS,
} from "./shared/web_socket.ts";
export { isUpgraded, upgradeResponse } from "./shared/upgraded.ts";
export { type PemKind, pemProblem } from "./shared/pem.ts";
export { exitCodeOfSignal, exitWhenWritten, runToEnd } from "./shared/process.ts";
export { startThread } from "./shared/thread.ts";
export { orAborted, pauses, within } from "./shared/within.ts";
