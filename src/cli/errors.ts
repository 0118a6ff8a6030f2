/** A command line that makes no sense. Exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** Arguments that make no sense, which `--help` explains. */
export class ArgumentError extends UsageError {
  override readonly name = "ArgumentError";
}
