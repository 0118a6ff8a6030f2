/**
 * Scheduled tasks: `@Scheduled()` on methods of beans. With a database, one replica runs each tick.
 *
 * @example A task that a test runs by its clock
 * ```ts
 * import { bootstrap, Service } from "@irori/irori";
 * import { Scheduled, scheduling } from "@irori/irori/scheduling";
 * import { FakeClock } from "@irori/irori/testing";
 *
 * @Service()
 * class Cleaner {
 *   @Scheduled({ every: 3600 })
 *   clean(): void {
 *     console.log("Cleaned");
 *   }
 * }
 *
 * const clock = new FakeClock("2027-01-01T00:30:00Z");
 * await using app = await bootstrap({ components: [Cleaner], extensions: [scheduling({ clock })] });
 * await clock.advance(3600); // Cleaned
 * ```
 *
 * @module
 */
export { Scheduled, type ScheduledOptions } from "./decorator.ts";
export {
  type ScheduledHandler,
  scheduling,
  type SchedulingOptions,
  withSchedules,
} from "./extension.ts";
export { ScheduleError } from "./schedule.ts";
export { TaskScheduler } from "./scheduler.ts";
export type { Clock } from "./ticks.ts";
