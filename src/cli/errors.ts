/** A command line that makes no sense. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
