import type { TaskScheduler } from "./scheduler.ts";
import type { Task } from "./task.ts";
import type { Tick } from "./ticks.ts";

const STATUS: Readonly<Record<Tick["state"], string>> = {
  running: "STARTED",
  done: "SUCCESS",
  failed: "ERROR",
  abandoned: "ABANDONED",
  skipped: "SKIPPED",
};

/** What `/actuator/scheduledtasks` answers, in the format of Spring Boot. The last execution is that on any replica. */
export async function tasksDocument(scheduler: TaskScheduler): Promise<unknown> {
  const document = { cron: [], fixedDelay: [], fixedRate: [], custom: [] } as Document;
  for (const task of scheduler.tasks.values()) {
    const { options } = task;
    const kind = options.cron ? "cron" : options.every ? "fixedRate" : "fixedDelay";
    const seconds = options.every ?? options.fixedDelay;
    document[kind].push({
      runnable: { target: task.name },
      ...(seconds === undefined
        ? { expression: options.cron, timeZone: options.timeZone ?? "UTC" }
        : { interval: seconds * 1000 }),
      ...executions(task, await scheduler.last(task)),
    });
  }
  return document;
}

type Document = Record<"cron" | "fixedDelay" | "fixedRate" | "custom", unknown[]>;

function executions({ next }: Task, last: Tick | undefined): Record<string, unknown> {
  const time = (instant: number) => new Date(instant).toISOString();
  return {
    ...(next !== undefined && { nextExecution: { time: time(next) } }),
    ...(last && {
      lastExecution: {
        time: time(last.due),
        status: STATUS[last.state],
        ...(last.ended !== undefined && { milliseconds: last.ended - last.started }),
        ...(last.error !== undefined && { exception: { message: last.error } }),
      },
    }),
  };
}
