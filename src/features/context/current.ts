import type { HttpRequest } from "../../http/mod.ts";
import { isSecret } from "../../text/mod.ts";
import { areScopesKept, currentScope, inScope, type LogFields } from "../../web/mod.ts";

/**
 * The request that is being answered, anywhere below its handler, middleware or binder, and in what these have
 * started. Beans that are built once can ask for it as they need it.
 *
 * @throws {Error} outside of a request, and where no application has `requestContext()`
 */
export function currentRequest(): HttpRequest {
  return answered("give the current request").request;
}

/**
 * Adds facts to every log line of the request, from here to its end; those that were given before stay, unless they
 * have the same name.
 *
 * @throws {Error} outside of a request, and where no application has `requestContext()`
 * @throws {TypeError} for what is no object of facts
 */
export function withContext(fields: LogFields): void;
/**
 * Adds facts to every log line that `action` writes, however asynchronous it is. Outside of a request it works, too;
 * where no application has `requestContext()`, the action is only run.
 *
 * @returns what the action gives
 * @throws {TypeError} for what is no object of facts
 */
export function withContext<R>(fields: LogFields, action: () => R): R;
export function withContext<R>(fields: LogFields, action?: () => R): R | void {
  // Other values have no facts, and would be missing in every line without a word.
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    throw unexpected("an object with named fields", fields);
  }
  if (action === undefined) {
    const request = answered("add to the log lines of a request");
    request.fields = { ...request.fields, ...withoutSecrets(fields) };
    return;
  }
  if (typeof action !== "function") throw unexpected("a function as the action", action);
  const scope = currentScope();
  return inScope({ ...scope, fields: { ...scope?.fields, ...withoutSecrets(fields) } }, action);
}

function unexpected(what: string, found: unknown): TypeError {
  const kind = found === null ? "null" : Array.isArray(found) ? "a list" : typeof found;
  return new TypeError(`Cannot add fields to log lines: expected ${what}, found ${kind}`);
}

/** By their names: no log has to know of them. */
function withoutSecrets(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecret(name)));
}

function answered(action: string) {
  const found = currentScope()?.answered;
  if (found) return found;
  throw new Error(
    `Cannot ${action}: ` +
      (areScopesKept()
        ? "this does not run for a request, or for one of an application without requestContext()"
        : "no application has the extension requestContext()"),
  );
}
