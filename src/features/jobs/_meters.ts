import type { MeterRegistry } from "../actuator/mod.ts";
import type { JobEngine, JobHandlers } from "./types.ts";

export class JobMeters {
  constructor(readonly registry?: MeterRegistry) {}

  /** Registers all, so that they are there with 0. */
  open(handlers: JobHandlers, engine: JobEngine): void {
    const { registry } = this;
    if (!registry) return;
    const names = new Set(handlers.keys());
    for (const { deadLetter } of handlers.values()) if (deadLetter) names.add(deadLetter);
    for (const job of names) {
      for (const kind of ["enqueued", "completed", "dead"]) {
        registry.counter(`jobs.${kind}`, { job });
      }
      for (const reason of ["error", "payload"]) registry.counter("jobs.failed", { job, reason });
      registry.timer("jobs.duration", { job });
      registry.gauge("jobs.waiting", () => engine.waiting().get(job) ?? 0, { job });
    }
    registry.gauge("jobs.unknown", () => {
      return [...engine.waiting()].reduce((sum, [job, n]) => names.has(job) ? sum : sum + n, 0);
    });
  }

  enqueued(job: string): void {
    this.registry?.counter("jobs.enqueued", { job }).increment();
  }

  completed(job: string, milliseconds: number): void {
    this.registry?.counter("jobs.completed", { job }).increment();
    this.registry?.timer("jobs.duration", { job }).record(milliseconds);
  }

  failed(job: string, milliseconds: number, reason: "error" | "payload", isLast: boolean): void {
    this.registry?.counter("jobs.failed", { job, reason }).increment();
    this.registry?.timer("jobs.duration", { job }).record(milliseconds);
    if (isLast) this.registry?.counter("jobs.dead", { job }).increment();
  }
}
