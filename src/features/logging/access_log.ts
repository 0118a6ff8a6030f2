import { type Observe, observing, requestIdOf, sentPathOf } from "../../web/mod.ts";
import type { Levels } from "./levels.ts";
import { logger } from "./logger.ts";

export const NAME = "http.access";

/** The properties of a line that stand in its message: the message is for people, they are for machines. */
export const RENDERED_PROPERTIES: ReadonlySet<string> = new Set(["method", "path", "status"]);

export const ACCESS_PROPERTIES: ReadonlySet<string> = new Set(
  ["method", "path", "status", "route", "milliseconds", "requestId"],
);

export function accessLog(levels: Levels): Observe {
  const log = logger(NAME);
  return observing((route) => ({
    opened: (context) => context.set("requestId", requestIdOf(context)),
    answered(request, status, start) {
      if (!levels.isEnabled(NAME, "INFO")) return;
      const { method, requestId } = request;
      const path = sentPathOf(request);
      const milliseconds = Math.round((performance.now() - start) * 10) / 10;
      log.info(`${method} ${path} ${status}`, {
        method,
        path,
        status,
        ...(route && { route: route.path }),
        milliseconds,
        requestId,
      });
    },
  }));
}
