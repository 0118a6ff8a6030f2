import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  discardBody,
  isFixed,
  isOurs,
  isResponse,
  isStreaming,
  markFixed,
  type Serving,
  valueKind,
  varied,
  withAppendedHeader,
  withHeader,
  withNosniff,
} from "../../http/mod.ts";
import { JSON_FIELDS, prepared } from "../../runtime/web.ts";
import { followedBy } from "../../text/mod.ts";
import type { Deprecation } from "./deprecation.ts";
import { negotiate } from "./media_type.ts";
import type { Route } from "../types.ts";

export type Responder = (context: Context) => Response | Promise<Response>;

export type FailureResponder = (context: Context, error: unknown) => Response | Promise<Response>;

export type Answerer = (context: Context, value: unknown) => Response | Promise<Response>;

/** Prepares the response for what a handler of `route` returned: a promise where its body is streamed. */
export function answerer(
  { produces, status }: Pick<Route, "produces" | "status">,
  serving?: Serving,
): Answerer {
  return (context, value) => {
    const kind = valueKind(value);
    const request = context.req.raw;
    const type = produces.length === 0 || kind.isComplete
      ? undefined
      : negotiate(produces, request.headers.get("accept"))?.type;
    const early = kind.open?.(value, { context, serving, status, type });
    if (early !== undefined) return early;
    const response = kind.respond(value, status, type);
    if (request.method !== "HEAD" || !isStreaming(value)) return response;
    discardBody(response);
    return new Response(null, response);
  };
}

/** Where middleware of a route has run, or runs: it may ask for the answer to what no route matches. */
export const begun: WeakSet<Context> = new WeakSet();

/** Runs middleware like Hono: an error becomes a response where it is thrown, for outer middleware. */
export function chain(
  middleware: readonly MiddlewareHandler[],
  respond: Responder,
  fail: FailureResponder,
): Responder {
  if (middleware.length === 0) return respond;
  return async (context) => {
    begun.add(context);
    let last = -1;
    await dispatch(0);
    return context.res;

    async function dispatch(index: number): Promise<void> {
      // After a failure whose response was discarded it may run again.
      if (index <= last && (context.finalized || !context.error)) {
        throw new Error("Cannot call next() twice in one middleware");
      }
      last = index;
      try {
        const step = middleware[index];
        if (step === undefined) {
          commit(context, await respond(context));
          return;
        }
        const returned = await step(context, () => dispatch(index + 1));
        const response = answerOf(step, context, returned);
        if (!context.finalized) context.res = response;
      } catch (error) {
        const response = await fail(context, error);
        if (context.res !== response) context.res = response;
      }
    }
  };
}

/** The answer of middleware: perhaps the answer to another request, changed. @throws {TypeError} for none */
export function answerOf(
  { name }: MiddlewareHandler,
  context: Context,
  returned: unknown,
): Response {
  const response = context.finalized ? context.res : returned;
  if (isResponse(response)) return isOurs(response) ? markFixed(response, false) : response;
  const found = typeof response === "object" ? "an object" : `a ${typeof response}`;
  const reason = response
    ? `returned ${found}: expected a Response, or that it awaits next()`
    : "neither returned a response nor awaited next()";
  throw new TypeError(`The middleware ${name ? `'${name}'` : "without a name"} ${reason}`);
}

function mapResponse(
  respond: Responder,
  change: (response: Response) => Response,
): Responder {
  return (context) =>
    followedBy(respond(context), (response) => changeResponse(context, response, change));
}

export function announced(respond: Responder, deprecation: Deprecation | undefined): Responder {
  if (deprecation === undefined) return respond;
  return mapResponse(respond, (response) =>
    deprecation.reduce((response, [name, value]) => {
      if (name === "Link") return withAppendedHeader(response, name, value);
      return response.headers.has(name) ? response : withHeader(response, name, value);
    }, response));
}

/** Adds a header name to `Vary` of every response (RFC 9110, 12.5.5). */
export function varying(respond: Responder, header: string): Responder {
  return mapResponse(respond, (response) => varied(response, header));
}

export function varyAnswer(context: Context, header: string): void {
  changeResponse(context, context.res, (response) => varied(response, header));
}

export function changeResponse(
  context: Context,
  response: Response,
  change: (response: Response) => Response,
): Response {
  const result = change(response);
  return result !== response && context.finalized ? replaceResponse(context, result) : result;
}

/**
 * Sets `response` as that of the context, with headers set earlier by `context.header()`, which Hono adds only to its own
 * responses. Headers of the response take precedence; cookies are added.
 */
export function commit(context: Context, response: Response): Response {
  if (context.finalized) return response;
  let result = response;
  for (const [name, value] of context.body(null).headers) {
    if (name !== "set-cookie" && response.headers.has(name)) continue;
    result = withAppendedHeader(result, name, value);
  }
  return replaceResponse(context, result);
}

/** As {@linkcode commit}, of JSON: Hono makes the response, with what was prepared and whatever else it does. */
export function committedText(context: Context, text: string, status: number): Response {
  const response = context.body(text, status as ContentfulStatusCode, JSON_TYPE);
  // A second field, as on Deno the clone of a response with one field loses that.
  const made = withNosniff(markFixed(prepared(response, text, status), false));
  return context.finalized ? made : replaceResponse(context, made);
}

const JSON_TYPE = { "Content-Type": JSON_FIELDS["Content-Type"]! };

/** Sets the response of a context. Cleared first: Hono would merge the headers of the response that it replaces. */
function replaceResponse(context: Context, response: Response): Response {
  context.res = undefined;
  context.res = response;
  if (isFixed(response)) changeInPlace(context, response);
  return response;
}

/** Lets `context.header()` change a complete response itself. Hono would make a copy for each call, with a stream as its body. */
function changeInPlace(context: Context, response: Response): void {
  const { header } = context;
  context.header = (name, value, options) => {
    if (context.res !== response) return header(name, value, options);
    const { headers } = response;
    if (value === undefined) headers.delete(name);
    else if (options?.append) headers.append(name, value);
    else headers.set(name, value);
  };
}
