import type { Attributes, Span, TextMapGetter } from "@opentelemetry/api";
import type { Context } from "hono";
import type { Extension } from "../app/mod.ts";
import { INSTRUMENTATION, markFailed, notInstalled, tracerProvider } from "../runtime/mod.ts";
import { errorOf } from "../text/mod.ts";
import { type Interceptor, METHODS, passive, type Route } from "../web/mod.ts";

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
    return { interceptor: interceptorOf(api) };
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

const interceptorOf = ({ context: contexts, propagation, SpanKind, trace }: Api): Interceptor =>
  passive((respond, route) => {
    const tracer = trace.getTracer(INSTRUMENTATION);
    return (context) => {
      const parent = propagation.extract(contexts.active(), context.req.raw.headers, HEADERS);
      const options = { kind: SpanKind.SERVER, attributes: attributesOf(context, route) };
      return tracer.startActiveSpan(nameOf(context, route), options, parent, (span) => {
        try {
          const response = respond(context);
          return "then" in response
            ? response.then(
              (response) => ended(span, context, response),
              (error) => failed(span, error),
            )
            : ended(span, context, response);
        } catch (error) {
          return failed(span, error);
        }
      });
    };
  });

const HEADERS: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Methods that are no methods of HTTP would make names without end. */
function nameOf({ req: { method } }: Context, route?: Route): string {
  const known = METHODS.includes(method) ? method : "HTTP";
  return route === undefined ? known : `${known} ${route.path}`;
}

function attributesOf({ req }: Context, route?: Route): Attributes {
  const { protocol, pathname, hostname, port } = new URL(req.url);
  const scheme = protocol.slice(0, -1);
  const known = METHODS.includes(req.method);
  const userAgent = req.raw.headers.get("user-agent");
  return {
    "http.request.method": known ? req.method : "_OTHER",
    ...(!known && { "http.request.method_original": req.method }),
    "url.scheme": scheme,
    "url.path": pathname,
    "server.address": hostname,
    "server.port": Number(port) || (scheme === "https" ? 443 : 80),
    ...(route && { "http.route": route.path }),
    ...(userAgent !== null && { "user_agent.original": userAgent }),
  };
}

/** Failures of a client are no failures of a server's span; only 5xx are. */
function ended(span: Span, { error }: Context, response: Response): Response {
  span.setAttribute("http.response.status_code", response.status);
  if (response.status >= 500) {
    if (error) span.recordException(error);
    markFailed(span, error?.name ?? `${response.status}`);
  }
  span.end();
  return response;
}

function failed(span: Span, error: unknown): never {
  markFailed(span, errorOf(error).name);
  span.end();
  throw error;
}
