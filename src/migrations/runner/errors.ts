import type { FileProblem, MigrationResult } from "./results.ts";
import { describeProblem } from "./problems.ts";
import { defined, describeOrigin, excerpt } from "../../text/mod.ts";

/** Files that cannot be applied as they are: nothing of their connection was. */
export class InvalidFilesError extends Error {
  override readonly name = "InvalidFilesError";
  /** The problems in file order; at least one has the severity `error`. */
  readonly problems: readonly FileProblem[];

  /** Name of the connection, where it is known. */
  readonly connection?: string;

  /** @param problems what is wrong, in file order */
  constructor(problems: readonly FileProblem[], connection?: string) {
    super(problems.map((problem) => describeProblem(problem, connection)).join("\n"));
    this.problems = problems;
    if (connection !== undefined) this.connection = connection;
  }
}

/** Names the connection whose files are invalid. */
export function ofConnection(connection: string): (error: unknown) => never {
  return (error) => {
    throw new InvalidFilesError(problemsIn(error), connection);
  };
}

export function problemsIn(error: unknown): readonly FileProblem[] {
  if (error instanceof InvalidFilesError) return error.problems;
  throw error;
}

/** An enabled connection without a folder of migrations. */
export class MissingFolderError extends Error {
  override readonly name = "MissingFolderError";

  /** @param folder absolute path of the folder that was looked for */
  constructor(readonly connection: string, readonly folder: string) {
    super(
      `Cannot find the migrations of connection '${connection}': there is no folder '${folder}'`,
    );
  }
}

/** Another run holds the lock of the connection, took it away, or recorded what this one was about to. */
export class LockedError extends Error {
  override readonly name = "LockedError";
  /** The holder, as `host-pid-run` or as the database names its sessions. */
  readonly owner?: string;

  /** @param owner who holds it, where that is known */
  constructor(readonly connection: string, message: string, owner?: string) {
    super(message);
    if (owner !== undefined) this.owner = owner;
  }
}

/** The server gave no answer, or refused the credentials (401, 403). */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** Whether the server answered and refused who asks: waiting does not help. */
  readonly refused: boolean;

  /** @param options with `refused` the server answered and refused who asks */
  constructor(
    readonly connection: string,
    message: string,
    options: ErrorOptions & { readonly refused?: boolean } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.refused = options.refused ?? false;
  }
}

/** The server refused a file, or an edited file may not run again. */
export class MigrationFailedError extends Error {
  override readonly name = "MigrationFailedError";
  /** 1-based line of the file that the server complained about. */
  readonly line?: number;
  /** 1-based column, in characters. */
  readonly column?: number;
  /** That line of the file. */
  readonly source?: string;

  /** @param options the cause, and the place in the file where it is known */
  constructor(
    readonly connection: string,
    readonly file: string,
    message: string,
    options?: ErrorOptions & Pick<MigrationFailedError, "line" | "column" | "source">,
  ) {
    super(message, options);
    const { line, column, source } = options ?? {};
    Object.assign(this, defined({ line, column, source }));
  }
}

/** A run was interrupted where it is unknown whether the file was applied. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  /** @param file path below the connection's folder */
  constructor(readonly connection: string, readonly file: string, message: string) {
    super(message);
  }
}

/** The history of a connection is not where this run would look for it, or is not one: nothing was applied. */
export class HistoryError extends Error {
  override readonly name = "HistoryError";

  /** @param message what was found, and the ways out */
  constructor(readonly connection: string, message: string) {
    super(message);
  }
}

/** A run has irreversible changes that are not confirmed: nothing of the connection was applied. */
export class ConfirmationError extends Error {
  override readonly name = "ConfirmationError";

  /** @param dangers what it would do, in file order */
  constructor(readonly connection: string, readonly dangers: readonly FileProblem[]) {
    const lines = dangers.map((danger) => describeProblem(danger, connection));
    super([`Nothing of '${connection}' was applied: it wants '--yes'`, ...lines].join("\n"));
  }
}

/** A run that stopped early; `results` lists what it did before, `cause` is why it stopped. */
export class MigrationRunError extends Error {
  override readonly name = "MigrationRunError";
  /** The result of each file. */
  declare readonly results: readonly MigrationResult[];

  /** @param message where several connections failed, with the errors of all */
  constructor(
    results: readonly MigrationResult[],
    cause: Error,
    message: string = messageOf(results, cause),
  ) {
    super(message, { cause });
    // Runtimes print all other properties of an uncaught error.
    Object.defineProperty(this, "results", { value: results });
  }
}

/** Names the file that failed, where the message does not, and shows its line. */
function messageOf(results: readonly MigrationResult[], cause: Error): string {
  const { message } = cause;
  const failed = results.find(({ outcome }) => outcome === "failed");
  if (failed === undefined || message.includes(failed.file)) return message;
  const file = `${failed.connection}/${failed.file}`;
  // On Bun, hidden properties of an error are its place in the program.
  const place = describeOrigin({ ...cause as MigrationFailedError, file });
  return [`Cannot apply '${place}': ${message}`, ...excerpt(cause as MigrationFailedError)].join(
    "\n",
  );
}

/** A feature cannot do what it was asked to do; each has a class of its own that extends this one. */
export class FeatureError extends Error {
  /** @param connection the name of the connection, if it is known */
  constructor(message: string, public connection?: string) {
    super(message);
  }
}

export class ExecutionError extends Error {
  override readonly name = "ExecutionError";
  readonly known?: string;
  readonly statements?: number;
  readonly goesOn: boolean = false;
  readonly undone: boolean = false;
  readonly leftBehind?: readonly string[];

  constructor(
    override readonly cause: Error,
    /** `none`: nothing was done. `partial`: a part is done for good. `unknown`: it may have been done. */
    readonly effect: "none" | "partial" | "unknown",
    about: Partial<
      Pick<ExecutionError, "known" | "statements" | "goesOn" | "undone" | "leftBehind">
    > = {},
  ) {
    super(cause.message, { cause });
    const { known, statements, goesOn, undone, leftBehind } = about;
    Object.assign(this, defined({ known, statements, goesOn, undone, leftBehind }));
  }
}
