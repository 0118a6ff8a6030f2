import { CRONER, packageMissing } from "../../runtime/mod.ts";
import { errorOf } from "../../text/mod.ts";
import { LocalTime } from "./local_time.ts";

/** A method that cannot be scheduled as its `@Scheduled` says, or an application that cannot run it. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
}

/** Instants at which something is due, in milliseconds since 1970. */
export interface Schedule {
  /** The first one after an instant. */
  next(after: number): number | undefined;
  /** The last one that is not after an instant. */
  previous(at: number): number | undefined;
}

/** The multiples of an interval since 1970, which are the same on each replica. */
export function every(milliseconds: number): Schedule {
  const previous = (at: number) => Math.floor(at / milliseconds) * milliseconds;
  return { previous, next: (after) => previous(after) + milliseconds };
}

/**
 * The local times of a cron expression. The package reads the expression and counts on a clock that is never set; what
 * happens where clocks are set is decided here.
 *
 * @param place for messages @throws {ScheduleError | PackageNotFoundError}
 */
export async function cron(expression: string, timeZone: string, place: string): Promise<Schedule> {
  const { Cron } = await import("croner").catch(packageMissing(CRONER));
  const localTime = new LocalTime(timeZone);
  let pattern: InstanceType<typeof Cron>;
  try {
    pattern = new Cron(expression, { timezone: "UTC", paused: true });
  } catch (cause) {
    throw new ScheduleError(
      `Cannot schedule '${place}': expected a cron expression such as '30 3 * * *', found '${expression}': ` +
        errorOf(cause).message,
      { cause },
    );
  }
  const next = (after: number): number | undefined => {
    let local: Date | null = new Date(localTime.passedAt(after));
    // Local times that do not exist have one instant.
    while ((local = pattern.nextRun(local)) !== null) {
      const instant = localTime.instantOf(local.getTime());
      if (instant > after) return instant;
    }
  };
  const previous = (at: number): number | undefined => {
    const [local] = pattern.previousRuns(1, new Date(localTime.passedAt(at) + 1000));
    return local && localTime.instantOf(local.getTime());
  };
  if (next(Date.now()) === undefined) {
    throw new ScheduleError(
      `Cannot schedule '${place}': expected a cron expression with a time to come, found '${expression}'`,
    );
  }
  return { next, previous };
}
