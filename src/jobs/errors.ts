/** A job cannot be declared, enqueued or run so. */
export class JobError extends Error {
  override readonly name: string = "JobError";
}
