import type { MeterRegistry } from "../actuator/mod.ts";
import type { ApplicationContext } from "../container/mod.ts";
import type { Task, TaskMeters } from "./task.ts";

/** Measures a task where the application has `actuator()`. */
export function metersIn(context: ApplicationContext, task: Task): TaskMeters {
  if (!context.has("meterRegistry")) return NONE;
  const registry = context.getByName("meterRegistry") as MeterRegistry;
  const tags = { task: task.name };
  const timer = (outcome: string) => {
    return registry.timer("tasks.scheduled.execution", { ...tags, outcome });
  };
  const [success, error] = [timer("SUCCESS"), timer("ERROR")];
  const skipped = registry.counter("tasks.scheduled.skipped", tags);
  const abandoned = registry.counter("tasks.scheduled.abandoned", tags);
  let last = { seconds: NaN, isDone: NaN };
  const gauge = (name: string, read: () => number) =>
    registry.gauge(`tasks.scheduled.${name}`, read, tags);
  gauge("next.timestamp", () => (task.next ?? NaN) / 1000);
  gauge("last.seconds", () => last.seconds);
  gauge("last.success", () => last.isDone);
  return {
    ran(milliseconds, isDone) {
      (isDone ? success : error).record(milliseconds);
      last = { seconds: milliseconds / 1000, isDone: Number(isDone) };
    },
    skipped: () => skipped.increment(),
    abandoned: () => abandoned.increment(),
  };
}

const NONE: TaskMeters = { ran: () => {}, skipped: () => {}, abandoned: () => {} };
