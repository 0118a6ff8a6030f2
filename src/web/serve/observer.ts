import type { Context } from "hono";
import type { HttpRequest, Serving } from "../../http/mod.ts";
import type { Route } from "../types.ts";

/**
 * Sees the requests of a route, or those that no route answers. What it throws is logged and changes no response.
 *
 * @internal
 */
export interface Observer {
  /** Called as soon as there is a context: there may be none. */
  opened?(context: Context): void;
  around?<R>(request: Observed, run: () => R): R;
  answered?(request: Observed, status: number, start: number): void;
}

/** @internal */
export type Observe = (route?: Route) => Observer;

export interface Observed {
  readonly method: string;
  readonly url: string;
  /** The path of the URL, encoded. */
  readonly sentPath: string;
  readonly headers: Headers;
  readonly requestId: string;
  readonly error: Error | undefined;
  readonly request: HttpRequest;
  readonly opened: Context | undefined;
  header(name: string): string | null;
}

/** Tells an observer of the response. */
export function observeAnswer(
  observer: Observer,
  request: Observed,
  status: number,
  start: number,
  serving: Serving | undefined,
): void {
  try {
    observer.answered?.(request, status, start);
  } catch (error) {
    serving?.log?.(CANNOT_OBSERVE, error);
  }
}
/** Runs inside an observer or, where that fails before, without it. */
export function runInside<R>(
  around: NonNullable<Observer["around"]>,
  request: Observed,
  run: () => R,
  serving: Serving | undefined,
): R {
  let next: (() => R) | undefined = run;
  const once = () => {
    next = undefined;
    const result = run();
    next = () => result;
    return result;
  };
  const goOn = (error: unknown) => {
    if (next === undefined) throw error; // It is not the observer's own.
    serving?.log?.(CANNOT_OBSERVE, error);
    return next();
  };
  try {
    const result = around(request, once);
    return result instanceof Promise ? result.catch(goOn) as R : result;
  } catch (error) {
    return goOn(error);
  }
}

const CANNOT_OBSERVE = "Cannot observe a request";
