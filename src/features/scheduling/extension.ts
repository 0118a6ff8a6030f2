import type { MeterRegistry } from "../actuator/mod.ts";
import { actuatorSettings } from "../actuator/settings.ts";
import type { ExtendedApplication, Extension } from "../../app/mod.ts";
import {
  type ApplicationContext,
  Component,
  decorate,
  OnReady,
  PreDestroy,
  type Type,
} from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { TransactionManager } from "../transactions/mod.ts";
import { DatabaseTicks } from "./database_ticks.ts";
import { methodName, refusal, type ScheduledMethod, ScheduledMethods } from "./decorator.ts";
import { cron, every, ScheduleError } from "./schedule.ts";
import { TaskScheduler } from "./scheduler.ts";
import { Task } from "./task.ts";
import { type Clock, MemoryTicks, SYSTEM_CLOCK, type Tick, type Ticks } from "./ticks.ts";

/** Options of {@linkcode scheduling}. */
export interface SchedulingOptions {
  /**
   * The database in which replicas claim ticks: the class or name of the bean, or the manager itself; `false` for none, so
   * that each replica runs every tick.
   *
   * @default the bean of the type `TransactionManager`; without one, none
   */
  readonly manager?: TransactionManager | Type<TransactionManager> | string | false;
  /**
   * Seconds after which ticks whose replica has not renewed them are recorded as abandoned. A replica renews its ticks
   * three times in that time.
   *
   * @default 30
   */
  readonly lease?: number;
  /**
   * A clock for tests: tasks go by it and not by a database, and are started by `bootstrap()`.
   *
   * @default the clock of the database or, without one, of the process
   */
  readonly clock?: Clock;
}

decorate(
  { TaskScheduler },
  { start: [OnReady()], stop: [PreDestroy()] },
  Component("taskScheduler"),
);

/**
 * Runs the methods of beans with {@linkcode Scheduled} from `listen()` until the application is closed. Without it these
 * are refused at startup. It brings the bean {@linkcode TaskScheduler}, and a health indicator.
 *
 * @throws {ScheduleError} at startup for a wrong cron expression, and for two tasks of one name
 * @throws {TransactionError} at startup when the table of the ticks is missing
 */
export function scheduling(options: SchedulingOptions = {}): Extension {
  const refuse = (reason: string) => new ScheduleError(`Cannot use scheduling(): ${reason}`);
  refuseUnknownOptions(options, ["manager", "lease", "clock"], refuse);
  const { lease = 30, clock } = options;
  if (!(lease >= 1 && lease <= 3600)) {
    throw refuse(`expected 1 to 3600 seconds as 'lease', found '${lease}'`);
  }
  const extension: Extension = async (application) => {
    const { context, config, contextPath } = application;
    const scheduler = context.get(TaskScheduler);
    const methods = context.get(ScheduledMethods).close(() => scheduler.failingMs > lease * 1000);
    refusePrototypes(context, methods);
    const registry = context.has("meterRegistry")
      ? context.getByName("meterRegistry") as MeterRegistry
      : undefined;
    const tasks = await Promise.all(methods.map((method) => taskOf(method, registry)));
    const ticks = methods.length > 0 && await sharedTicks(application, options, lease);
    scheduler.prepare(tasks, ticks || new MemoryTicks(clock ?? SYSTEM_CLOCK), clock);
    if (clock) await scheduler.start();
    const settings = actuatorSettings(config);
    const path = `${contextPath}${settings.basePath}/scheduledtasks`;
    if (!registry || !settings.exposes("scheduledtasks")) return { disabled: [path] };
    const respond = async () => Response.json(await tasksDocument(scheduler));
    return { endpoints: [{ method: "GET", path, respond }] };
  };
  return Object.assign(extension, {
    beans: () => ({
      classes: [TaskScheduler],
      instances: { scheduledTasksHealthIndicator: new ScheduledMethods() },
    }),
  });
}

/** The handler that a platform calls by a schedule, as Cloudflare does. */
export interface ScheduledHandler {
  /** Runs the tasks that have become due since the minute before the event, and fulfils when they have ended. */
  scheduled(event: { readonly scheduledTime: number }): Promise<void>;
}

/**
 * Adds `scheduled` to an application on an edge isolate, which has no timers. The triggers of the platform must cover the
 * minutes of the tasks: `crons = ["* * * * *"]` covers all.
 *
 * ```ts ignore
 * export default withSchedules(await bootstrap({ components, config, extensions: [scheduling()] }));
 * ```
 */
export function withSchedules<A extends { readonly context: ApplicationContext }>(
  app: A,
): A & ScheduledHandler {
  return Object.assign(app, {
    scheduled: ({ scheduledTime }: { readonly scheduledTime: number }) =>
      app.context.get(TaskScheduler).runDue(scheduledTime),
  });
}

/** In the database of the application, if there is one. @throws {TransactionError} */
async function sharedTicks(
  { context, runtime }: ExtendedApplication,
  { manager = context.has(TransactionManager) && TransactionManager, clock }: SchedulingOptions,
  lease: number,
): Promise<Ticks | undefined> {
  if (clock) return undefined;
  if (manager === false) {
    // An edge isolate is called by the platform, once.
    if (runtime) console.log(EACH);
    return undefined;
  }
  const found = typeof manager === "string"
    ? context.getByName(manager) as TransactionManager
    : typeof manager === "function"
    ? context.get(manager)
    : manager;
  const host = runtime ? `${runtime.hostname}-${runtime.pid}-` : "";
  const ticks = new DatabaseTicks(found, host, lease);
  // Edge isolates may ask no database before the first event.
  if (runtime) await ticks.check();
  return ticks;
}

const EACH = "Scheduled tasks have no database: each replica runs every tick";

/** Instances of them come and go. @throws {ScheduleError} */
function refusePrototypes(context: ApplicationContext, methods: readonly ScheduledMethod[]): void {
  const beans = [...context.beans.values()].filter(({ scope }) => scope === "singleton");
  const singletons = new Set(beans.map(({ name }) => context.getByName(name)));
  const found = methods.find(({ bean }) => !singletons.has(bean));
  if (found === undefined) return;
  throw refusal(methodName(found), 'expected a bean of the scope "singleton"', "another object");
}

async function taskOf(scheduled: ScheduledMethod, registry?: MeterRegistry): Promise<Task> {
  const { bean, method, options } = scheduled;
  const { cron: expression, every: interval, fixedDelay, timeZone = "UTC" } = options;
  const place = methodName(scheduled);
  const call = (signal: AbortSignal) =>
    (bean as Record<string | symbol, (signal: AbortSignal) => unknown>)[method]!(signal);
  const timing = expression !== undefined
    ? await cron(expression, timeZone, place)
    : interval !== undefined
    ? every(Math.round(interval * 1000))
    : Math.round(fixedDelay! * 1000);
  return new Task(place, call, timing, options, registry);
}

/** The document of `/actuator/scheduledtasks`, in the format of Spring Boot. The last execution is that on any replica. */
async function tasksDocument(scheduler: TaskScheduler): Promise<unknown> {
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

const STATUS: Readonly<Record<Tick["state"], string>> = {
  running: "STARTED",
  done: "SUCCESS",
  failed: "ERROR",
  abandoned: "ABANDONED",
  skipped: "SKIPPED",
};
