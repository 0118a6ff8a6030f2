import { HttpError } from "../http/mod.ts";
import { isThenable } from "../text/mod.ts";
import type { AccessRule } from "./access.ts";
import type { Bind } from "./binder.ts";
import { bodyRefusal } from "./body_limit.ts";
import type { FailureResponder, Responder } from "./chain.ts";
import type { AccessCheck, Guard } from "./guard.ts";
import type { Handler } from "./invoke.ts";
import { committedWithNoStore, NO_STORE, withNoStore } from "./no_store.ts";

/** What decides who is answered. */
interface Guarding {
  readonly check?: AccessCheck;
  readonly guard?: Guard;
  readonly fail: FailureResponder;
  /** Whether middleware may have prepared headers. */
  readonly hasMiddleware: boolean;
}

/** Lets a responder answer whom a check lets pass. What is for somebody is kept by no cache. */
export function guarded(
  respond: Responder,
  { check, guard, fail, hasMiddleware }: Guarding,
): Responder {
  if (check === undefined) return respond;
  const answer: Responder = (context) => {
    const answering = respond(context);
    if (guard?.userOf(context) === undefined) return answering;
    const add = (response: Response) =>
      hasMiddleware ? committedWithNoStore(context, response) : withNoStore(response);
    return answering instanceof Promise ? answering.then(add) : add(answering);
  };
  return (context) => {
    try {
      const checking = check(context);
      if (!isThenable(checking)) return answer(context);
      return checking.then(() => answer(context), (error) => fail(context, error));
    } catch (error) {
      return fail(context, error);
    }
  };
}

/** Answers what a body is refused with, once it is known that somebody may hear of it. */
export function refusal(fail: FailureResponder): Responder {
  return (context) => fail(context, bodyRefusal(context));
}

/** Gives whom a check has found, behind the values of a handler's parameters. */
export function userBind(guard: Guard): Bind {
  return ({ context }) => guard.userOf(context);
}

/** Asks rules between binding and handler. The last parameters are the user, by {@linkcode userBind}, and the request. */
export function authorized(handler: Handler, rules: readonly AccessRule[]): Handler {
  return function (this: unknown, ...parameters) {
    const [user, request] = parameters.splice(-2);
    parameters.push(request);
    const proceed = () => handler.call(this, ...parameters);
    const ask = (index: number): unknown => {
      for (let next = index; next < rules.length; next++) {
        const answer = rules[next]?.call(this, user, ...parameters);
        if (isThenable(answer)) {
          return Promise.resolve(answer).then((answer) => {
            requireTrue(answer);
            return ask(next + 1);
          });
        }
        requireTrue(answer);
      }
      return proceed();
    };
    return ask(0);
  };
}

/** What is only taken for true was not meant as a permission. */
function requireTrue(answer: unknown): void {
  if (answer !== true) throw forbidden();
}

/** The refusal of somebody who is known (RFC 9110, 15.5.4). */
export function forbidden(headers: Readonly<Record<string, string>> = {}): HttpError {
  return new HttpError(403, "Access is denied", { headers: { ...headers, ...NO_STORE } });
}
