import type { Context } from "hono";
import { type Around, METHODS, type Route } from "../web/mod.ts";
import { type Timer, TimerMeter } from "./meters.ts";

/** Times requests by method, route, status and outcome, with the tags of Spring Boot's `http.server.requests`. */
export function requestTimer(): { readonly meter: TimerMeter; readonly around: Around } {
  const meter = new TimerMeter(
    "http.server.requests",
    "http_server_requests_seconds",
    "Duration of HTTP server request handling",
  );
  const around: Around = (respond, route) => {
    const timers = new Map<string, Timer>();
    const timerOf = (method: string, status: number, exception: string): Timer => {
      const key = `${method} ${status} ${exception}`;
      let timer = timers.get(key);
      if (timer === undefined) {
        timer = meter.timer(tagsOf(method, status, exception, route));
        timers.set(key, timer);
      }
      return timer;
    };
    // Most requests of a route end as the one before: this spares them a key.
    let last: Outcome | undefined;
    const record = ({ req: { method }, error }: Context, response: Response, start: number) => {
      const { status } = response;
      if (last?.status !== status || last.method !== method || last.error !== error?.name) {
        last = {
          status,
          method,
          error: error?.name,
          timer: timerOf(method, status, error?.name ?? "none"),
        };
      }
      last.timer.record(start, performance.now());
      return response;
    };
    return (context) => {
      const start = performance.now();
      const response = respond(context);
      return "then" in response
        ? response.then((response) => record(context, response, start))
        : record(context, response, start);
    };
  };
  return { meter, around };
}

interface Outcome {
  readonly method: string;
  readonly status: number;
  /** Name of what was thrown. */
  readonly error: string | undefined;
  readonly timer: Timer;
}

const OUTCOMES = [
  "UNKNOWN",
  "INFORMATIONAL",
  "SUCCESS",
  "REDIRECTION",
  "CLIENT_ERROR",
  "SERVER_ERROR",
];

/** Nothing that a client made up is a value: their number would have no end. */
function tagsOf(method: string, status: number, exception: string, route?: Route) {
  return {
    error: exception,
    exception,
    method: METHODS.includes(method) ? method : "UNKNOWN",
    outcome: OUTCOMES[Math.floor(status / 100)] ?? "UNKNOWN",
    status: `${status}`,
    uri: route?.pattern.text ?? (status === 404 ? "NOT_FOUND" : "UNKNOWN"),
  };
}
