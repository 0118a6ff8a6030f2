import type { Context } from "hono";
import { type Interceptor, passive, requestIdOf } from "../web/mod.ts";
import type { Levels } from "./levels.ts";
import { logger } from "./logger.ts";

const NAME = "http.access";

/** The properties of a line that stand in its message: the message is for people, they are for machines. */
export const RENDERED_PROPERTIES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [NAME, new Set(["method", "path", "status"])],
]);

export function accessLog(levels: Levels): Interceptor {
  const log = logger(NAME);
  return passive((respond, route) => {
    const write = (context: Context, response: Response, start: number, requestId: string) => {
      const { method, raw } = context.req;
      const { status } = response;
      // Not the decoded path of the routing, which may hold line breaks and what terminals obey.
      const path = new URL(raw.url).pathname;
      const milliseconds = Math.round((performance.now() - start) * 10) / 10;
      log.info(`${method} ${path} ${status}`, {
        method,
        path,
        status,
        ...(route && { route: route.path }),
        milliseconds,
        requestId,
      });
      return response;
    };
    return (context) => {
      const requestId = requestIdOf(context);
      context.set("requestId", requestId);
      if (!levels.isEnabled(NAME, "INFO")) return respond(context);
      const start = performance.now();
      const response = respond(context);
      return "then" in response
        ? response.then((response) => write(context, response, start, requestId))
        : write(context, response, start, requestId);
    };
  });
}
