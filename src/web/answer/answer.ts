import type { Context } from "hono";
import {
  discardBody,
  HttpStatus,
  isPieceSource,
  isPlain,
  isProblemDetail,
  isResponse,
  isUpgrade,
  render,
  ResponseEntity,
  type Serving,
  streamed,
  typeOfBody,
  UPGRADE,
  withHeader,
  withNosniff,
  withType,
} from "../../http/mod.ts";
import { isEventStream, isXml } from "../../text/mod.ts";
import { negotiate } from "./media_type.ts";
import type { Route } from "../types.ts";

/** Prepares the response for what a handler of `route` returned: a promise where its body is streamed. */
export function answerer(
  route: Pick<Route, "produces" | "status">,
  serving?: Serving,
): (context: Context, value: unknown) => Response | Promise<Response> {
  const { produces, status } = route;
  const heartbeat = serving?.heartbeatSeconds;
  return (context, value) => {
    const request = context.req.raw;
    const type = produces.length === 0 || saysItsType(value)
      ? undefined
      : negotiate(produces, request.headers.get("accept"))?.type;
    if (isPlain(value)) return answerWhole(value, status, type);
    if (isUpgrade(value)) return value[UPGRADE](context, serving);
    if (request.method === "HEAD") return answerHead(value, status, type);
    return streamed(value, status, type, heartbeat)?.then(withNosniff) ??
      answerWhole(value, status, type);
  };
}

function saysItsType(value: unknown): boolean {
  return !isPlain(value) &&
    (isResponse(value) || value instanceof ResponseEntity || isProblemDetail(value));
}

function answerWhole(value: unknown, status?: number, type?: string): Response {
  if (type !== undefined) return renderAs(type, value, status);
  if (isResponse(value)) return withNosniff(withType(value));
  return saysItsType(value) ? withNosniff(render(value)) : render(value, status);
}

function renderAs(type: string, value: unknown, status?: number): Response {
  const entity = () => ResponseEntity.status(HttpStatus.of(status ?? 200));
  if (isPieceSource(value) && !isEventStream(type)) {
    return withNosniff(render(entity().withHeader("Content-Type", type).setBody(value)));
  }
  const response = isXml(type) && isStructure(value)
    ? withNosniff(render(entity().withXml(value)))
    : render(value, status);
  return response.headers.has("content-type")
    ? withHeader(response, "Content-Type", typeOfBody(type, value))
    : response;
}

export function isStructure(value: unknown): boolean {
  return value !== null && typeof value === "object" && !isStreaming(value) &&
    !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer) && !(value instanceof Blob);
}

function answerHead(value: unknown, status?: number, type?: string): Response {
  const response = answerWhole(value, status, type);
  if (!isStreaming(value)) return response;
  discardBody(response);
  return new Response(null, response);
}

/** Whether the body may still be produced while it is sent. */
export function isStreaming(value: unknown): boolean {
  if (isPlain(value)) return false;
  if (value instanceof ResponseEntity) return isStreaming(value.body);
  return value instanceof ReadableStream || isResponse(value) || isPieceSource(value);
}
