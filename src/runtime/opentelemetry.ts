import { within } from "./within.ts";

/** Where `@opentelemetry/api` of every version 1 keeps what SDKs register; `OTEL_DENO` registers there, too. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** What an SDK of OpenTelemetry has registered; whoever uses it has the types, which not every application installs. */
export interface OpenTelemetry {
  /** A `TracerProvider`. */
  readonly trace?: unknown;
  /** A `MeterProvider`. */
  readonly metrics?: unknown;
}

/**
 * Sends what is still to be sent, for a process that is about to end: SDKs send now and then. What cannot be sent in
 * time is lost, and no failure.
 */
export async function flushSpans(): Promise<void> {
  const registered = openTelemetry()?.trace as FlushedProvider | undefined;
  const provider = registered?.getDelegate?.() ?? registered;
  if (provider?.forceFlush === undefined) return;
  await within(provider.forceFlush().catch(() => {}), FLUSH_MS, undefined);
}

const FLUSH_MS = 5000;

/** Providers of SDKs, which `@opentelemetry/api` stands in front of. */
interface FlushedProvider {
  getDelegate?(): FlushedProvider;
  forceFlush?(): Promise<unknown>;
}

/** What is registered in this process, if anything: known without loading a package. */
export function openTelemetry(): OpenTelemetry | undefined {
  return (globalThis as { [REGISTERED]?: OpenTelemetry })[REGISTERED];
}
