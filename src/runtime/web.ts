/** The part of the runtime that the web half alone needs: bodies, responses, sockets and peers of requests. */
export * from "./shared/async_context.ts";
export { type Argon2id, argon2id, type Argon2Input } from "./shared/argon2.ts";
export { peerOf, shortestIpv6 } from "./shared/peer.ts";
export {
  declaresBody,
  directTarget,
  expectBytes,
  joined,
  mayHaveBody,
  readBytes,
  readDirectly,
} from "./shared/read_bytes.ts";
export {
  type Head,
  invalidateFastPath,
  isBodiless,
  JSON_FIELDS,
  NO_STORE,
  NOSNIFF,
  prepared,
  recipeOf,
  type ResponseMaker,
  responsesWith,
  streamedResponse,
} from "./shared/responses.ts";
export {
  isPlainSegment,
  type Lane,
  LANE_BODY_TYPE,
  type LaneCall,
  type LaneRoute,
  type Reply,
  type Transport,
} from "./shared/lane.ts";
export {
  globalUpgrade,
  type SocketHandle,
  type SocketListener,
  type UpgradeSocket,
  WS,
} from "./shared/web_socket.ts";
export { isUpgraded, upgradeResponse } from "./shared/upgraded.ts";
