import type { Context } from "hono";
import type { Responder } from "./chain.ts";
import { replaceResponse } from "./prepared_headers.ts";

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
