import type { ApplicationContext } from "../container/mod.ts";
import { TaskScheduler } from "./scheduler.ts";

/** What a platform calls by a schedule, as Cloudflare does. */
export interface ScheduledHandler {
  /** Runs the tasks that are due in the minute of the event, and fulfils when they have ended. */
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
