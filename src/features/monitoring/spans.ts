import type { Attributes, Span, SpanKind, TracerProvider } from "@opentelemetry/api";
import type { MigrationResult, RunFile, RunReport, Target } from "../../migrations/runner/mod.ts";
import { INSTRUMENTATION, markFailed, tracerProvider } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";

/** By their values: the package itself may not be there. */
const INTERNAL: SpanKind.INTERNAL = 0;
const CLIENT: SpanKind.CLIENT = 2;

/** Spans by OpenTelemetry's conventions for databases, without statements and messages: both may be secret. */
export async function runSpan(
  target: Target,
  work: () => Promise<RunReport>,
): Promise<RunReport> {
  const name = `migrate ${target.connection}`;
  return await within(name, INTERNAL, commonOf(target), async (span) => {
    const report = await work();
    const applied = report.results.filter(({ outcome }) => outcome.endsWith("applied"));
    span.setAttributes({
      "irori.migration.applied": applied.length,
      "irori.migration.stopped": report.stopped,
    });
    if (report.error) failed(span, report.error);
    return report;
  });
}

export async function fileSpan(
  { target, path, isStop }: RunFile,
  work: () => Promise<MigrationResult>,
): Promise<MigrationResult> {
  const own = { ...commonOf(target), "irori.migration.file": path };
  return await within(`migrate ${target.connection} ${path}`, CLIENT, own, async (span) => {
    const result = await work();
    const { kind, outcome, error } = result;
    if (kind !== undefined) span.setAttribute("irori.migration.kind", kind);
    if (error && isStop(error)) return result;
    span.setAttribute("irori.migration.outcome", outcome);
    if (error) failed(span, error);
    return result;
  });
}

function commonOf({ connection, attributes }: Target): Attributes {
  return {
    ...attributes,
    "db.operation.name": "migrate",
    "irori.migration.connection": connection,
  };
}

function within<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const tracer = (tracerProvider() as TracerProvider).getTracer(INSTRUMENTATION);
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function failed(span: Span, error: unknown): void {
  const { code }: { readonly code?: unknown } = Object(Object(error).cause);
  // Databases answer with codes such as 42P01; their texts may contain values.
  if (typeof code !== "string" || !/^[A-Z0-9_]{1,40}$/.test(code)) {
    return markFailed(span, errorOf(error).name);
  }
  // The conventions want the same in both.
  span.setAttribute("db.response.status_code", code);
  markFailed(span, code);
}
