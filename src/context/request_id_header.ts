import type { Extension } from "../app/mod.ts";
import { withHeader } from "../http/mod.ts";
import { changeResponse, requestIdOf } from "../web/mod.ts";

/**
 * Sends the id of the request, which its log lines have, as `X-Request-Id` of every response: that of the client or its
 * proxy if it is harmless, otherwise a new one. Stands first among the extensions, so that it sees the responses of all.
 * Responses of the server itself have none: to a malformed request, an invalid `Host`, and during shutdown.
 */
export function requestIdHeader(): Extension {
  return () => ({
    middleware: [async (context, next) => {
      await next();
      const id = requestIdOf(context);
      changeResponse(context, context.res, (response) => withHeader(response, "X-Request-Id", id));
    }],
  });
}
