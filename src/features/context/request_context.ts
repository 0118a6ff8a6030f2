import type { Extension } from "../../app/mod.ts";
import { withHeader } from "../../http/mod.ts";
import {
  AnsweredRequest,
  changeResponse,
  currentScope,
  inScope,
  keepScopeOf,
  keepScopes,
  type Observer,
  observing,
  onLane,
  requestIdOf,
} from "../../web/mod.ts";

/**
 * Keeps the request that is being answered for {@linkcode currentRequest}, and its id and the facts of
 * {@linkcode withContext} for every log line: in all that its middleware and handler call, wait for and start,
 * generators that are sent piece by piece included.
 *
 * @throws {Error} at startup, where the runtime has no `AsyncLocalStorage`
 */
export function requestContext(): Extension {
  return ({ requestOf }) => {
    keepScopes();
    return {
      middleware: [
        onLane((context, next) => {
          const answered = new AnsweredRequest(
            () => requestIdOf(context),
            () => requestOf(context),
          );
          return inScope({ answered }, () => {
            keepScopeOf(context.req.raw);
            return next();
          });
        }),
      ],
      observe: observing(() => OBSERVER),
    };
  };
}

const OBSERVER: Observer = {
  around(request, run) {
    // On the lane there is no context yet, and the middleware was left out.
    const found = request.madeContext && currentScope()?.answered;
    found?.make(() => request.request);
    const made = () => new AnsweredRequest(() => request.requestId, () => request.request);
    return found ? run() : inScope({ answered: made() }, run);
  },
  opened: (context) => keepScopeOf(context.req.raw),
};

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
