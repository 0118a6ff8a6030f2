import type { Attributes, Span, SpanKind, Tracer, TracerProvider } from "@opentelemetry/api";
import { INSTRUMENTATION, markFailed, tracerProvider } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import type { MigrationResult, RunReport } from "../../migrations/runner/results.ts";
import type { Target } from "../../migrations/runner/types.ts";

type Traced = Pick<Target, "connection" | "attributes">;

export interface RunSpans {
  run(work: () => Promise<RunReport>): Promise<RunReport>;
  file(
    path: string,
    work: () => Promise<MigrationResult>,
    isFailed: (result: MigrationResult) => boolean,
  ): Promise<MigrationResult>;
}

/**
 * Spans by the semantic conventions of OpenTelemetry for database clients, where an SDK for traces is registered. They
 * hold no statement and no message of a server: both may quote what is a secret.
 */
export function runSpans(target: Traced): RunSpans | undefined {
  const provider = tracerProvider() as TracerProvider | undefined;
  const tracer = provider?.getTracer(INSTRUMENTATION);
  return tracer && spansOf(tracer, target);
}

/** By their values: the package itself may not be there. */
const INTERNAL: SpanKind.INTERNAL = 0;
const CLIENT: SpanKind.CLIENT = 2;

function spansOf(tracer: Tracer, { connection, attributes }: Traced): RunSpans {
  const common: Attributes = {
    ...attributes,
    "db.operation.name": "migrate",
    "irori.migration.connection": connection,
  };
  return {
    run: (work) =>
      within(tracer, `migrate ${connection}`, INTERNAL, common, async (span) => {
        const report = await work();
        const applied = report.results.filter(({ outcome }) => outcome.endsWith("applied"));
        span.setAttributes({
          "irori.migration.applied": applied.length,
          "irori.migration.stopped": report.stopped,
        });
        if (report.error) failed(span, report.error);
        return report;
      }),
    file: (path, work, isFailed) => {
      const own = { ...common, "irori.migration.file": path };
      return within(tracer, `migrate ${connection} ${path}`, CLIENT, own, async (span) => {
        const result = await work();
        const { kind, outcome, error } = result;
        if (kind !== undefined) span.setAttribute("irori.migration.kind", kind);
        if (error === undefined) span.setAttribute("irori.migration.outcome", outcome);
        else if (isFailed(result)) {
          span.setAttribute("irori.migration.outcome", outcome);
          failed(span, error);
        }
        return result;
      });
    },
  };
}

function within<T>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
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
  const { cause } = error as { cause?: unknown };
  const code = (cause as { code?: unknown } | undefined)?.code;
  // What databases answer with, such as 42P01; never a text of theirs.
  if (typeof code !== "string" || !/^[A-Z0-9_]{1,40}$/.test(code)) {
    return markFailed(span, errorOf(error).name);
  }
  // The conventions want the same in both.
  span.setAttribute("db.response.status_code", code);
  markFailed(span, code);
}
