import type { MeterProvider, TracerProvider } from "@opentelemetry/api";

/** Where `@opentelemetry/api` of every version 1 keeps what SDKs register; `OTEL_DENO` registers there, too. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** What an SDK of OpenTelemetry has registered. */
export interface OpenTelemetry {
  readonly trace?: TracerProvider;
  readonly metrics?: MeterProvider;
}

/** What is registered in this process, if anything: known without loading a package. */
export function openTelemetry(): OpenTelemetry | undefined {
  return (globalThis as { [REGISTERED]?: OpenTelemetry })[REGISTERED];
}
