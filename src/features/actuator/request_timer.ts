import { errorOf } from "../../text/mod.ts";
import { type Interceptor, METHODS, type Observed, observing, type Route } from "../../web/mod.ts";
import { OVERFLOW } from "./family.ts";
import type { MeterRegistry, OwnTimer } from "./meter_registry.ts";
import type { Tags } from "./meter_types.ts";
import { Recorder, type RecordingTimer } from "./recorder.ts";

/** Times requests by method, route, status and outcome, with the tags of Spring Boot's `http.server.requests`. */
export function requestTimer(registry: MeterRegistry): Interceptor {
  return observing((route) => {
    const recorders = new RouteRecorders(registry, route);
    return {
      answered(request, status, start) {
        const end = performance.now();
        try {
          recorders.of(request, status).add((end - start) / 1000, end);
        } catch (error) {
          warn(registry, error); // Of an SDK, or an error whose name cannot be read.
        }
      },
    };
  });
}

/** Statuses and errors of one route, beyond which errors count as others: their names are the application's. */
const MAX_OF_ROUTE = 100;

class RouteRecorders {
  readonly #found = new Map<string, Recorder>();
  #method = "";
  #status = 0;
  #last: Recorder | undefined;

  constructor(readonly registry: MeterRegistry, readonly route: Route | undefined) {}

  of({ method, error }: Observed, status: number): Recorder {
    if (error !== undefined) return this.#recorder(known(method), status, error.name);
    if (method === this.#method && status === this.#status) return this.#last!;
    this.#method = method;
    this.#status = status;
    return this.#last = this.#recorder(known(method), status, "none");
  }

  #recorder(method: string, status: number, exception: string): Recorder {
    const key = `${method} ${status} ${exception}`;
    const found = this.#found.get(key);
    if (found !== undefined) return found;
    if (this.#found.size >= MAX_OF_ROUTE && exception !== OVERFLOW) {
      return this.#recorder(method, status, OVERFLOW);
    }
    const tags = tagsOf(method, status, exception, this.route);
    const recorder = recorderOf(this.registry, tags);
    this.#found.set(key, recorder);
    return recorder;
  }
}

/** Where the registry of a test has the name for something else, nothing is measured: it is the request that counts. */
function recorderOf(registry: MeterRegistry, tags: Tags): Recorder {
  try {
    const { name, options } = REQUESTS;
    return (registry.timer(name, tags, options) as RecordingTimer).recorder;
  } catch (error) {
    warn(registry, error);
    return new Recorder([]);
  }
}

function warn(registry: MeterRegistry, error: unknown): void {
  if (warned.has(registry)) return;
  warned.add(registry);
  console.warn(`Requests are not measured: ${errorOf(error).message}`);
}

const warned = new WeakSet<MeterRegistry>();

export const REQUESTS: OwnTimer = {
  name: "http.server.requests",
  keys: ["error", "exception", "method", "outcome", "status", "uri"],
  options: {
    description: "Duration of HTTP server request handling",
    // Bounded by the routes, of which there may be many.
    maxTagCombinations: Infinity,
  },
};

/** Nothing that a client made up is a value: their number would have no end. */
function known(method: string): string {
  return METHODS.includes(method) ? method : "UNKNOWN";
}

const OUTCOMES = [
  "UNKNOWN",
  "INFORMATIONAL",
  "SUCCESS",
  "REDIRECTION",
  "CLIENT_ERROR",
  "SERVER_ERROR",
];

function tagsOf(method: string, status: number, exception: string, route?: Route) {
  return {
    error: exception,
    exception,
    method,
    outcome: OUTCOMES[Math.floor(status / 100)] ?? "UNKNOWN",
    status,
    uri: route?.path ?? (status === 404 ? "NOT_FOUND" : "UNKNOWN"),
  };
}
