import { errorOf } from "../../text/mod.ts";
import { METHODS, type Observe, observing, type Route } from "../../web/mod.ts";
import { OVERFLOW } from "./family.ts";
import type { MeterRegistry, OwnTimer } from "./meter_registry.ts";
import { Recording } from "./recorder.ts";

/** Statuses and errors of one route, beyond which errors count as others: their names are the application's. */
const MAX_OF_ROUTE = 100;

/** Times requests by method, route, status and outcome, with the tags of Spring Boot's `http.server.requests`. */
export function requestTimer(registry: MeterRegistry): Observe {
  return observing((route) => {
    const recordings = new Map<string, Recording>();
    const recordingOf = (given: string, status: number, exception: string): Recording => {
      // Nothing that a client made up is a value: their number would have no end.
      const method = METHODS.includes(given) ? given : "UNKNOWN";
      const key = `${method} ${status} ${exception}`;
      const found = recordings.get(key);
      if (found !== undefined) return found;
      if (recordings.size >= MAX_OF_ROUTE && exception !== OVERFLOW) {
        return recordingOf(method, status, OVERFLOW);
      }
      const recording = registered(registry, tagsOf(method, status, exception, route));
      recordings.set(key, recording);
      return recording;
    };
    // Most requests are like the one before.
    let last: Recording | undefined;
    let [lastMethod, lastStatus] = ["", 0];
    return {
      answered({ method, madeContext }, status, start) {
        const end = performance.now();
        const error = madeContext?.error;
        try {
          let recording = last;
          if (error !== undefined) recording = recordingOf(method, status, error.name);
          else if (method !== lastMethod || status !== lastStatus) {
            recording = last = recordingOf(method, status, "none");
            [lastMethod, lastStatus] = [method, status];
          }
          recording!.add((end - start) / 1000, end);
        } catch (error) {
          warn(registry, error); // The SDK may throw, and so may the name of an error.
        }
      },
    };
  });
}

/** Where the registry of a test has the name for something else, nothing is measured: it is the request that counts. */
function registered(registry: MeterRegistry, tags: ReturnType<typeof tagsOf>): Recording {
  const [name, , options] = REQUESTS;
  try {
    return registry.timer(name, tags, options) as Recording;
  } catch (error) {
    warn(registry, error);
    return new Recording({ type: "timer", bounds: [] });
  }
}

function warn(registry: MeterRegistry, error: unknown): void {
  if (warned.has(registry)) return;
  warned.add(registry);
  console.warn(`Requests are not measured: ${errorOf(error).message}`);
}

const warned = new WeakSet<MeterRegistry>();

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

export const REQUESTS: OwnTimer = ["http.server.requests", tagsOf("", 0, ""), {
  description: "Duration of HTTP server request handling",
  // Bounded by the routes, of which there may be many.
  maxTagCombinations: Infinity,
}];
