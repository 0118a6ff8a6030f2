/** A method that cannot be scheduled as its `@Scheduled` says, or an application that cannot run it. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
}
