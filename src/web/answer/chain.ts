import type { Context, MiddlewareHandler } from "hono";
import { openContext, withAppendedHeader, withNosniff } from "../../http/mod.ts";

/** Makes an answer for a request. */
export type Responder = (context: Context) => Response | Promise<Response>;

/** Makes the answer for what was thrown. */
export type FailureResponder = (context: Context, error: unknown) => Response | Promise<Response>;

/**
 * Runs middleware around a responder as Hono does: what is thrown becomes an answer where it is thrown, so
 * that the middleware outside of it (CORS, headers, logging) still has its turn.
 */
export function chain(
  middleware: readonly MiddlewareHandler[],
  respond: Responder,
  fail: FailureResponder,
): Responder {
  if (middleware.length === 0) return respond;
  return async (context) => {
    openContext(context);
    let last = -1;
    await dispatch(0);
    return sealed(context);

    async function dispatch(index: number): Promise<void> {
      if (index <= last) throw new Error("Cannot call next() twice in one middleware");
      last = index;
      try {
        const step = middleware[index];
        if (step === undefined) {
          commit(context, await respond(context));
          return;
        }
        const response = await step(context, () => dispatch(index + 1));
        if (context.finalized) return;
        checkAnswer(step, response);
        context.res = response;
      } catch (error) {
        const response = await fail(context, error);
        if (context.res !== response) context.res = response;
      }
    }
  };
}

/** The response of a context, of which middleware may have made or changed anything. */
export function sealed(context: Context): Response {
  const { res } = context;
  const response = withNosniff(res);
  if (response === res) return res;
  return replaceResponse(context, response);
}

/**
 * Refuses what Hono would answer with an empty 200, or call a context that is not finalized.
 *
 * @throws {TypeError} that names the middleware
 */
export function checkAnswer(
  { name }: MiddlewareHandler,
  response: unknown,
): asserts response is Response {
  // By what it has: runtimes and adapters have classes of their own.
  const isResponse = typeof response === "object" && response !== null &&
    "status" in response && "headers" in response && "body" in response;
  if (isResponse) return;
  const middleware = `The middleware ${name ? `'${name}'` : "without a name"}`;
  throw new TypeError(
    response
      ? `${middleware} returned ${
        typeof response === "object" ? "an object" : `a ${typeof response}`
      }: expected a Response, or that it awaits next()`
      : `${middleware} neither returned a response nor awaited next()`,
  );
}

/** Replaces every response of a responder. */
export function mapResponse(
  respond: Responder,
  change: (response: Response) => Response,
): Responder {
  return (context) => {
    const response = respond(context);
    return response instanceof Promise
      ? response.then((response) => changeResponse(context, response, change))
      : changeResponse(context, response, change);
  };
}

/** Changes a response, which may already be the one of its context. */
export function changeResponse(
  context: Context,
  response: Response,
  change: (response: Response) => Response,
): Response {
  // The response of an upgrade belongs to the runtime.
  if (response.status === 101) return response;
  const result = change(response);
  return result !== response && context.finalized ? replaceResponse(context, result) : result;
}

/**
 * Sets `response` as the one of its context, with the headers of earlier calls of `context.header()`, which Hono
 * adds only to responses of its own. A header of the response takes precedence; cookies are added. Does nothing if the
 * context has a response.
 */
export function commit(context: Context, response: Response): Response {
  if (context.finalized) return response;
  // The response of an upgrade belongs to the runtime.
  if (response.status === 101) return context.res = response;
  let result = response;
  for (const [name, value] of context.body(null).headers) {
    if (name !== "set-cookie" && response.headers.has(name)) continue;
    result = withAppendedHeader(result, name, value);
  }
  return replaceResponse(context, result);
}

/** Sets the response of a context. Cleared first: Hono would merge the headers of the response that it replaces. */
export function replaceResponse(context: Context, response: Response): Response {
  context.res = undefined;
  context.res = response;
  return response;
}
