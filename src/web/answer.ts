import type { Context } from "hono";
import { HttpStatus, isResponse, render, ResponseEntity } from "../http/mod.ts";
import { essence, negotiate } from "./media_type.ts";
import { isStreaming } from "./streaming.ts";
import type { Route } from "./types.ts";

/** Makes the response for what a handler of `route` returned. */
export function answerer(route: Route): (context: Context, value: unknown) => Response {
  const { produces } = route;
  const status = route.status?.value;
  return (context, value) => {
    const request = context.req.raw;
    const response = produces.length === 0 || saysItsType(value)
      ? render(value, status)
      : renderAs(negotiate(produces, request.headers.get("accept"))?.type, value, status);
    if (value instanceof ResponseEntity) unsniffed(response);
    return request.method === "HEAD" && isStreaming(value) ? withoutBody(response) : response;
  };
}

function saysItsType(value: unknown): boolean {
  return isResponse(value) || value instanceof ResponseEntity;
}

/** A mapping that says what it produces answers with that type; objects become XML where it is XML. */
function renderAs(type: string | undefined, value: unknown, status?: number): Response {
  if (type === undefined) return render(value, status);
  const isXml = /[/+]xml$/.test(essence(type));
  const response = isXml && isStructure(value)
    ? unsniffed(render(ResponseEntity.status(HttpStatus.of(status ?? 200)).withXml(value)))
    : render(value, status);
  if (response.headers.has("content-type")) response.headers.set("content-type", type);
  return response;
}

/** What {@linkcode render} makes of a plain value has it already. */
function unsniffed(response: Response): Response {
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

function isStructure(value: unknown): boolean {
  return value !== null && typeof value === "object" && !isStreaming(value) &&
    !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer) && !(value instanceof Blob);
}

/** Nobody will read the stream: its source is told. */
function withoutBody(response: Response): Response {
  response.body?.cancel().catch(() => {});
  return new Response(null, response);
}
