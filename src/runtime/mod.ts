/**
 * The only door to the world: files, environment, arguments, listening, outgoing requests, signals.
 * No other room names `Deno`, `Bun` or `process`.
 *
 * @module
 */
export type * from "./types.ts";
export {
  ConnectError,
  FileExistsError,
  FileNotFoundError,
  ListenError,
  PackageNotFoundError,
} from "./errors.ts";
export {
  flushTelemetry,
  INSTRUMENTATION,
  markFailed,
  meterProvider,
  tracerProvider,
} from "./opentelemetry.ts";
export { notInstalled, PACKAGES } from "./packages.ts";
export { loadRuntime } from "./load.ts";
export {
  type AsyncStorage,
  asyncStorage,
  rememberAsyncContext,
  type RunIn,
} from "./async_context.ts";
export { peerOf } from "./peer.ts";
export { expectBytes, readBytes } from "./read_bytes.ts";
export { declaresBody, mayHaveBody } from "./has_body.ts";
export { directTarget, openRequest, readDirectly } from "./direct_request.ts";
export { invalidateFastPath, type ResponseMaker, responsesWith } from "./responses.ts";
export { requireSupported } from "./_supported.ts";
export {
  globalUpgrade,
  type SocketHandle,
  type SocketListener,
  type UpgradeSocket,
  WS,
} from "./web_socket.ts";
export { isUpgraded, upgradeResponse } from "./upgraded.ts";
export { streamedResponse } from "./streamed.ts";
export { type PemKind, pemProblem } from "./pem.ts";
export { exitCodeOfSignal } from "./exit_code.ts";
export { orAborted, within } from "./within.ts";
