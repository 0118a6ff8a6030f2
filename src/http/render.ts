import { renderValue } from "./_render_value.ts";
import { isPlain } from "./body.ts";
import { isProblemDetail } from "./problem.ts";
import { ResponseEntity } from "./response_entity.ts";
import { HttpStatus } from "./status.ts";

/**
 * Where what a handler returns becomes a `Response`: array or object → JSON, text → `text/plain` as it is,
 * `ResponseEntity` and `Response` as they are, `problem()` → problem details with its status, bytes, blob or stream →
 * octet-stream, async iterable → server-sent events, `null`, number or boolean → JSON, `undefined` → no body.
 *
 * @param status for every kind but `ResponseEntity`, `Response` and problems; 200 when left out, 204 for `undefined`
 * @throws {TypeError} for a value that JSON cannot hold
 */
export function render(value: unknown, status?: number): Response {
  if (isPlain(value)) return renderValue(value, status);
  if (value instanceof ResponseEntity) return value.toResponse();
  if (isProblemDetail(value)) {
    return ResponseEntity.status(HttpStatus.of(value.status)).withJson(value).toResponse();
  }
  return isResponse(value) ? value : renderValue(value, status);
}

/**
 * Whether a value is a `Response`. By its tag too: `@hono/node-server` puts a class of its own in place of the global
 * one, of which the responses of `fetch` are no instances.
 */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response ||
    (typeof value === "object" && value !== null && Symbol.toStringTag in value &&
      value[Symbol.toStringTag] === "Response");
}
