import type { Context } from "hono";
import type { Responder } from "./chain.ts";

/** Lets all answers be changed on their way out. */
export function answering(respond: Responder, change: (response: Response) => Response): Responder {
  return (context) => {
    const response = respond(context);
    return response instanceof Promise
      ? response.then((response) => changed(context, response, change))
      : changed(context, response, change);
  };
}

/** Changes an answer, which may be the one of its context already. */
export function changed(
  context: Context,
  response: Response,
  change: (response: Response) => Response,
): Response {
  // That of an upgrade is the runtime's.
  if (response.status === 101) return response;
  const result = change(response);
  if (result !== response && context.finalized) {
    // Cleared first: Hono would add the headers of the response that it replaces.
    context.res = undefined;
    context.res = result;
  }
  return result;
}
