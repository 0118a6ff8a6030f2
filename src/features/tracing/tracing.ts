import type { Attributes, Span, TextMapGetter } from "@opentelemetry/api";
import type { Extension } from "../../app/mod.ts";
import { INSTRUMENTATION, markFailed, notInstalled, tracerProvider } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import { METHODS, type Observed, observing, type Route, urlOf } from "../../web/mod.ts";

/**
 * Spans for requests, by the semantic conventions of OpenTelemetry for HTTP servers, below the caller's span (W3C Trace
 * Context). Does nothing, and costs nothing, unless an SDK was registered before `bootstrap()`.
 *
 * @throws {PackageNotFoundError} at startup, when an SDK is registered and `@opentelemetry/api` cannot be found
 */
export function tracing(): Extension {
  return async () => {
    if (tracerProvider() === undefined) return undefined;
    api = await import("@opentelemetry/api").catch(notInstalled("@opentelemetry/api"));
    return { observe: observeBy(api) };
  };
}

/**
 * The headers that carry the active span to another service: `fetch(url, { headers: traceHeaders() })`. None before an
 * application has `tracing()`.
 */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), headers);
  return headers;
}

type Api = typeof import("@opentelemetry/api");

let api: Api | undefined;

const observeBy = ({ context: contexts, propagation, SpanKind, trace }: Api) =>
  observing((route) => {
    const tracer = trace.getTracer(INSTRUMENTATION);
    const spans = new WeakMap<Observed, Span>();
    return {
      around(request, run) {
        const parent = propagation.extract(contexts.active(), request, HEADERS);
        const options = { kind: SpanKind.SERVER, attributes: attributesOf(request, route) };
        return tracer.startActiveSpan(spanName(request, route), options, parent, (span) => {
          spans.set(request, span);
          try {
            const result = run();
            return result instanceof Promise
              ? result.catch((error) => failed(span, error)) as typeof result
              : result;
          } catch (error) {
            return failed(span, error);
          }
        });
      },
      answered: (request, status) => ended(spans.get(request), request, status),
    };
  });

const HEADERS: TextMapGetter<Observed> = {
  get: (request, name) => request.header(name) ?? undefined,
  keys: ({ context }) => [...context.req.raw.headers.keys()],
};

/** Methods that are no methods of HTTP would make names without end. */
function spanName({ method }: Observed, route?: Route): string {
  const known = METHODS.includes(method) ? method : "HTTP";
  return route === undefined ? known : `${known} ${route.path}`;
}

function attributesOf(request: Observed, route?: Route): Attributes {
  const { protocol, pathname, hostname, port } = new URL(urlOf(request));
  const known = METHODS.includes(request.method);
  const userAgent = request.header("user-agent");
  return {
    "http.request.method": known ? request.method : "_OTHER",
    ...(!known && { "http.request.method_original": request.method }),
    "url.scheme": protocol.slice(0, -1),
    "url.path": pathname,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    ...(route && { "http.route": route.path }),
    ...(userAgent !== null && { "user_agent.original": userAgent }),
  };
}

/** Failures of a client are no failures of a server's span; only 5xx are. */
function ended(span: Span | undefined, { madeContext }: Observed, status: number): void {
  const error = madeContext?.error;
  span?.setAttribute("http.response.status_code", status);
  if (span && status >= 500) {
    if (error) span.recordException(error);
    markFailed(span, error?.name ?? `${status}`);
  }
  span?.end();
}

function failed(span: Span, error: unknown): never {
  markFailed(span, errorOf(error).name);
  span.end();
  throw error;
}
