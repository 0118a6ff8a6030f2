import { within } from "./within.ts";

/** Where `@opentelemetry/api` of every version 1 keeps what SDKs register; `OTEL_DENO` registers there, too. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

export const INSTRUMENTATION = "irori";

/** The `TracerProvider` that an SDK has registered; its users have the types, which not every application installs. */
export function tracerProvider(): unknown {
  return registered().trace;
}

export function meterProvider(): unknown {
  return registered().metrics;
}

/** Sends spans and metrics before the process ends. What cannot be sent in time is lost, and no failure. */
export async function flushTelemetry(): Promise<void> {
  const { trace, metrics } = registered();
  const flushed = [trace, metrics].map(async (provider) => {
    const { getDelegate } = provider ?? {};
    await (getDelegate ? getDelegate.call(provider) : provider)?.forceFlush?.();
  });
  await within(Promise.allSettled(flushed), FLUSH_MS, undefined);
}

const FLUSH_MS = 5000;

/** Marks a span as failed. @param type a class of errors, or a status: never a message, which may contain user data */
export function markFailed(span: FailingSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: ERROR });
}

/** `SpanStatusCode.ERROR`, by its value: the package itself may not be there. */
const ERROR = 2;

interface FailingSpan {
  setAttribute(name: string, value: string): unknown;
  setStatus(status: { code: number }): unknown;
}

interface Provider {
  getDelegate?(): Provider;
  forceFlush?(): Promise<unknown>;
}

/** The providers of this process: known without loading a package. */
function registered(): { readonly trace?: Provider; readonly metrics?: Provider } {
  return (globalThis as { [REGISTERED]?: ReturnType<typeof registered> })[REGISTERED] ?? {};
}
