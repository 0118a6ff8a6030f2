/** HTTP values: status, request, response, errors, problem details, XML. `public.ts` has those for applications. */
export * from "./status.ts";
export { HttpRequest, isHandshake, isOwnOrigin, type RequestSource } from "./request.ts";
export { parseJson } from "./json.ts";
export { decodeUtf8, isBrokenOff, receive, type Received } from "./receive.ts";
export * from "./response_entity.ts";
export * from "./error.ts";
export * from "./problem.ts";
export * from "./problem_type.ts";
export { toXml, XmlError } from "./xml.ts";
export { ServerSentEvent } from "./server_sent_events.ts";
export {
  type Addresses,
  parseAddresses,
  type TrustedProxies,
  trustProxies,
} from "./trusted_proxies.ts";
export { discard, discardBody, isBodiless, isCancellable, isPlain, toJson } from "./body.ts";
export { brand, marksOf } from "./brand.ts";
export { BYTES, DATA, isStructure, responseMaker, TEXT } from "./body_kinds.ts";
export { type CompleteValue, isResponse, isStreaming, render, valueKind } from "./value_kinds.ts";
export { isHopByHop } from "./_header.ts";
export { isFixed, isMade, isOurs, markFixed, sendable } from "./sendable.ts";
export {
  abortedBy,
  clientLeft,
  GoingAway,
  hasLeft,
  isAbort,
  isUpgrade,
  originalOf,
  replaceRequest,
  type Serving,
  UPGRADE,
  type Upgrade,
} from "./serving.ts";
export { isPieceSource } from "./pieces.ts";
export * from "./with_header.ts";
