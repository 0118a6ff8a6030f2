import { elementsOf, TOKEN } from "../text/mod.ts";
import { FIELD_VALUE, isHopByHop } from "./_header.ts";
import { recipeOf } from "../runtime/web.ts";
import { withHeader, withNosniff } from "./with_header.ts";

/**
 * Marks a response whose body is complete: no one has to wait until it is made. What copies the response, as
 * middleware does, loses the mark.
 *
 * @param isOurs whether no other code can have added a header field either, so that none has to be checked
 */
export function markFixed(response: Response, isOurs: boolean): Response {
  (response as Marked)[MAKER] = isOurs ? "library" : "other";
  return response;
}

export function isFixed(response: Response): boolean {
  return isMade(response) || recipeOf(response) !== undefined;
}

/** Whether the library has made it, for one answer. */
export function isMade(response: Response): boolean {
  return (response as Marked)[MAKER] !== undefined;
}

export function isOurs(response: Response): boolean {
  return (response as Marked)[MAKER] === "library";
}

/**
 * A response that every runtime can send: with a type that clients have to believe, and without the fields that are
 * about one connection (RFC 9110, 7.6.1), which a server sets itself, unless it is of an upgrade (101). Deno ends the
 * process for a control character in a field, and Node for a status that there is not.
 *
 * @throws {TypeError} when a field holds what none can (RFC 9110, 5.5), or the body was already consumed
 * @throws {RangeError} when the status is none of a final response
 */
export function sendable(response: Response): Response {
  const { status, headers } = response;
  if (status !== 101 && (status < 200 || status > 999)) {
    throw new RangeError(`Cannot send a response with the status ${status}`);
  }
  const dropped: string[] = [];
  let hasNosniff = false;
  headers.forEach((value, name) => {
    if (!FIELD_VALUE.test(value)) {
      throw new TypeError(`Cannot send the header '${name}': its value has a control character`);
    }
    // 426 has to say what it asks for (RFC 9110, 15.5.22).
    if (isHopByHop(name) && !(status === 426 && name === "upgrade")) dropped.push(name);
    if (name === "x-content-type-options") hasNosniff = value === "nosniff";
    if (name !== "content-length") return;
    if (!/^\d+$/.test(value)) {
      throw new TypeError("Cannot send the header 'content-length': its value is not a length");
    }
    // The runtime knows the length of a body that is there.
    if (isFixed(response)) dropped.push(name);
  });
  // Also reads its body: a response that Node cannot make fails here.
  if (status === 101) return withType(response);
  // To ask a text of ours would make the `Response` of `@hono/node-server` one of Node's.
  if (recipeOf(response) === undefined && response.bodyUsed) {
    throw new TypeError("Cannot send a response whose body was read already");
  }
  const typed = withType(hasNosniff ? response : withNosniff(response));
  if (dropped.length === 0) return typed;
  const listed = elementsOf(headers.get("connection"));
  // Responses of `fetch` have headers that cannot be changed.
  const copy = recipeOf(typed) ? typed : new Response(typed.body, typed);
  for (const name of [...dropped, ...listed]) if (TOKEN.test(name)) copy.headers.delete(name);
  return copy;
}

export function withType(response: Response): Response {
  // Reading the body makes a stream of a text, which Deno sends more slowly.
  if (isFixed(response) && response.headers.has("content-type")) return response;
  const isText = recipeOf(response) !== undefined;
  // The body first, unless it is known to be a text: the `Response` of `@hono/node-server` takes any for one until then.
  if (!isText && response.body === null || response.headers.has("content-type")) return response;
  // Bun's `Response` does not set the type of a text, as Fetch 6.5 requires: there it may be one.
  untyped ??= new Response("").headers.has("content-type")
    ? "application/octet-stream"
    : PLAIN_TEXT;
  return withHeader(response, "Content-Type", isText ? PLAIN_TEXT : untyped);
}

const MAKER: unique symbol = Symbol("maker");

interface Marked extends Response {
  [MAKER]?: "library" | "other";
}

const PLAIN_TEXT = "text/plain;charset=UTF-8";

/** Asked for late: workerd makes no response before there is a request. */
let untyped: string | undefined;
