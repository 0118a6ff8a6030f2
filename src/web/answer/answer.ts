import type { Context } from "hono";
import { discardBody, isStreaming, kindOf, type Serving } from "../../http/mod.ts";
import { negotiate } from "./media_type.ts";
import type { Route } from "../types.ts";

/** Prepares the response for what a handler of `route` returned: a promise where its body is streamed. */
export function answerer(
  { produces, status }: Pick<Route, "produces" | "status">,
  serving?: Serving,
): (context: Context, value: unknown) => Response | Promise<Response> {
  return (context, value) => {
    const kind = kindOf(value);
    const request = context.req.raw;
    const type = produces.length === 0 || kind.isComplete
      ? undefined
      : negotiate(produces, request.headers.get("accept"))?.type;
    const opened = kind.open?.(value, { context, serving, status, type });
    if (opened !== undefined) return opened;
    const response = kind.respond(value, status, type);
    if (request.method !== "HEAD" || !isStreaming(value)) return response;
    discardBody(response);
    return new Response(null, response);
  };
}
