import type { Extension } from "../app/mod.ts";
import { AnsweredRequest, currentScope, inNewScope, keepScopes, passive } from "../web/mod.ts";

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
        (context, next) => {
          return inNewScope(new AnsweredRequest(context, () => requestOf(context)), next);
        },
      ],
      interceptor: passive((respond, route) => (context) => {
        if (route) currentScope()?.answered?.make(() => requestOf(context, route));
        return respond(context);
      }),
    };
  };
}
