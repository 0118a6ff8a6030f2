/** Levels of Spring Boot, from everything to nothing. */
export type LevelName = "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR" | "FATAL" | "OFF";

/** Facts beside a message. Those whose names sound like secrets (`password`, `token`, …) are left out. */
export type LogProperties = Readonly<Record<string, unknown>>;

/** Writes messages under one name. */
export interface Logger {
  /** The finest steps. */
  trace(message: string, properties?: LogProperties): void;
  /** A detail that helps to find a mistake. */
  debug(message: string, properties?: LogProperties): void;
  /** A normal event. */
  info(message: string, properties?: LogProperties): void;
  /** Logs a failure that needs attention. */
  warn(message: string, properties?: LogProperties): void;
  /** A failure. */
  error(message: string, properties?: LogProperties): void;
}

/** Levels of loggers by name, to be read and changed while the application runs. */
export interface LogLevels {
  /** From silent to everything. */
  readonly levels: readonly LevelName[];
  /** Names of loggers that have a level of their own or were used. */
  names(): readonly string[];
  /** The level that was set for a logger itself. */
  configured(name: string): LevelName | undefined;
  /** The level that counts: its own, or that of the nearest name above it (`a.b` for `a.b.c`), or that of `ROOT`. */
  effective(name: string): LevelName;
  /** Sets a level, or with `undefined` takes it back. @throws {RangeError} when there is no such level */
  set(name: string, level: string | undefined): void;
}
