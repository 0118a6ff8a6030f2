import type { Context } from "hono";
import { type Interceptor, METHODS, type Route } from "../web/mod.ts";
import { type Timer, TimerMeter } from "./meters.ts";

/** Times requests by method, route, status and outcome, with the tags of Spring Boot's `http.server.requests`. */
export function requestTimer(): { readonly meter: TimerMeter; readonly interceptor: Interceptor } {
  const meter = new TimerMeter(
    "http.server.requests",
    "http_server_requests_seconds",
    "Duration of HTTP server request handling",
  );
  const interceptor: Interceptor = (respond, route) => {
    const timers = new Map<string, Timer>();
    const record = (context: Context, response: Response, start: number) => {
      const { method } = context.req;
      const exception = context.error?.name ?? "none";
      const key = `${method} ${response.status} ${exception}`;
      let timer = timers.get(key);
      if (timer === undefined) {
        timer = meter.timer(tagsOf(method, response.status, exception, route));
        timers.set(key, timer);
      }
      timer.record(start, performance.now());
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
  return { meter, interceptor };
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
    uri: route?.path ?? (status === 404 ? "NOT_FOUND" : "UNKNOWN"),
  };
}
