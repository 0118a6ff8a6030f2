import type { FileProblem, MigrationResult } from "./types.ts";

/** Files that cannot be applied as they are: nothing was sent. Exit code 3 of the command line. */
export class InvalidFilesError extends Error {
  /** The name of the class. */
  override readonly name = "InvalidFilesError";
  /** What is wrong, in file order; at least one has the severity `error`. */
  readonly problems: readonly FileProblem[];

  /** Says what went wrong, and to what. */
  constructor(problems: readonly FileProblem[]) {
    super(problems.map(describeProblem).join("\n"));
    this.problems = problems;
  }
}

/** An enabled connection without a folder of migrations. Exit code 2. */
export class MissingFolderError extends Error {
  /** The name of the class. */
  override readonly name = "MissingFolderError";
  /** Name of the connection. */
  readonly connection: string;
  /** Absolute path of the folder that was looked for. */
  readonly folder: string;

  /** Says what went wrong, and to what. */
  constructor(connection: string, folder: string) {
    super(
      `Cannot find the migrations of connection '${connection}': there is no folder '${folder}'`,
    );
    this.connection = connection;
    this.folder = folder;
  }
}

/** One file that cannot be applied at all; `Target.classify` throws it. */
export class InvalidFileError extends Error {
  /** The name of the class. */
  override readonly name = "InvalidFileError";
  /** What is wrong with it. */
  readonly problem: FileProblem;

  /** Says what went wrong, and to what. */
  constructor(problem: Omit<FileProblem, "severity">) {
    super(describeProblem({ ...problem, severity: "error" }));
    this.problem = { ...problem, severity: "error" };
  }
}

/** Another run holds the lock of the connection. Exit code 6. */
export class LockedError extends Error {
  /** The name of the class. */
  override readonly name = "LockedError";
  /** Name of the connection. */
  readonly connection: string;
  /** Who holds it, as `host-pid-run` or as the database names its sessions. */
  readonly owner?: string;

  /** Says what went wrong, and to what. */
  constructor(connection: string, message: string, owner?: string) {
    super(message);
    this.connection = connection;
    if (owner !== undefined) this.owner = owner;
  }
}

/** The server gave no answer, or refused the credentials (401, 403). Exit code 7. */
export class ConnectionError extends Error {
  /** The name of the class. */
  override readonly name = "ConnectionError";
  /** Name of the connection. */
  readonly connection: string;
  /** Whether the server answered and refused who asks: waiting does not help. */
  readonly refused: boolean;

  /** Says what went wrong, and to what. */
  constructor(
    connection: string,
    message: string,
    options: ErrorOptions & { readonly refused?: boolean } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.connection = connection;
    this.refused = options.refused ?? false;
  }
}

/** The server refused a file, or an edited file may not run again. Exit code 8. */
export class MigrationFailedError extends Error {
  /** The name of the class. */
  override readonly name = "MigrationFailedError";
  /** Name of the connection. */
  readonly connection: string;
  /** Path of the file below the connection's folder. */
  readonly file: string;
  /** 1-based line of the file that the server complained about. */
  readonly line?: number;
  /** 1-based column, in characters. */
  readonly column?: number;
  /** That line of the file. */
  readonly source?: string;

  /** Says what went wrong, and to what. */
  constructor(
    connection: string,
    file: string,
    message: string,
    options?: ErrorOptions & {
      readonly line?: number;
      readonly column?: number;
      readonly source?: string;
    },
  ) {
    super(message, options);
    this.connection = connection;
    this.file = file;
    if (options?.line !== undefined) this.line = options.line;
    if (options?.column !== undefined) this.column = options.column;
    if (options?.source !== undefined) this.source = options.source;
  }
}

/** A run was cut off where nobody can tell whether the file was applied. Exit code 9. */
export class InterruptedError extends Error {
  /** The name of the class. */
  override readonly name = "InterruptedError";
  /** Name of the connection. */
  readonly connection: string;
  /** Path of the file below the connection's folder. */
  readonly file: string;

  /** Says what went wrong, and to what. */
  constructor(connection: string, file: string, message: string) {
    super(message);
    this.connection = connection;
    this.file = file;
  }
}

/** A run that did not come to its end; `results` says what it did before, `cause` is why it stopped. */
export class MigrationRunError extends Error {
  /** The name of the class. */
  override readonly name = "MigrationRunError";
  /** What happened to each file. */
  readonly results: readonly MigrationResult[];

  /** Says what went wrong, and to what. */
  constructor(results: readonly MigrationResult[], cause: Error) {
    super(cause.message, { cause });
    this.results = results;
  }
}

/** The problem as people read it: place, message, the line with a caret below the column. */
export function describeProblem(problem: FileProblem): string {
  const place = [problem.path, problem.line, problem.column].filter((part) => part !== undefined);
  return [`${place.join(":")}: ${problem.message}`, ...excerpt(problem)].join("\n");
}

/** The source line of a position and a caret under its column; nothing where the line is not known. */
export function excerpt(
  position: { readonly line?: number; readonly column?: number; readonly source?: string },
): string[] {
  if (position.source === undefined) return [];
  const { text, caret } = clip(position.source, position.column ?? 1);
  const gutter = `${position.line ?? ""}`;
  const pad = " ".repeat(gutter.length);
  const lines = [`  ${gutter} | ${text}`];
  if (position.column !== undefined) {
    lines.push(`  ${pad} | ${text.slice(0, caret).replace(/[^\t]/g, " ")}^`);
  }
  return lines;
}

/** Keeps a very long line readable: a window of 100 characters around the column. */
function clip(source: string, column: number): { text: string; caret: number } {
  const width = 100;
  const start = column > width ? column - width / 2 : 0;
  return { text: source.slice(start, start + width), caret: column - 1 - start };
}
