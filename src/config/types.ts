import type { StandardSchemaV1 } from "@standard-schema/spec";

/** A value of the configuration. */
export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | readonly ConfigValue[]
  | ConfigMap;

/** Values by key. */
export interface ConfigMap {
  /** By key. */
  readonly [key: string]: ConfigValue;
}

/**
 * Read-only configuration. Keys are dotted, with indices for lists: `server.port`, `search[0].hosts[1]`.
 * Every complaint about a value names the file, the line and the full key it came from, and never the value of
 * a secret.
 */
export interface Config {
  /** The application root: relative paths in the configuration start here. Absolute, or `""` where there are no files. */
  readonly root: string;
  /** The value of `key` as it is, or `undefined` when it is not set. @throws {ConfigError} for a placeholder that cannot be filled */
  get(key: string): ConfigValue | undefined;
  /** The text at `key`; numbers and booleans count as written, so `007` stays `007`. @throws {ConfigError} when it is none */
  string(key: string): string | undefined;
  /** The text at `key`, or `fallback`. @throws {ConfigError} when it is none */
  string(key: string, fallback: string): string;
  /** The number at `key`, or the one its text says. @throws {ConfigError} when it is none */
  number(key: string): number | undefined;
  /** The number at `key`, or `fallback`. @throws {ConfigError} when it is none */
  number(key: string, fallback: number): number;
  /** The boolean at `key`, or the one its text says, in either case. @throws {ConfigError} when it is none */
  boolean(key: string): boolean | undefined;
  /** The boolean at `key`, or `fallback`. @throws {ConfigError} when it is none */
  boolean(key: string, fallback: boolean): boolean;
  /** The value at `key`, as the method `kind` gives it. @throws {ConfigError} when it is not set, or of another kind */
  required<K extends "string" | "number" | "boolean" | "strings" | "section" = "string">(
    key: string,
    kind?: K,
  ): NonNullable<ReturnType<Config[K]>>;
  /** A list of texts; one text counts as a list of one. @throws {ConfigError} */
  strings(key: string): readonly string[] | undefined;
  /** The map at `key` as a configuration of its own, or `undefined`. @throws {ConfigError} when it is no map */
  section(key: string): Config | undefined;
  /** Each map of the list at `key` (a single map counts as a list of one); empty when unset. @throws {ConfigError} */
  sections(key: string): readonly Config[];
  /** Keys one level below, in file order. */
  keys(): readonly string[];
  /**
   * The map below `prefix`, checked and typed by a schema.
   *
   * @throws {ConfigError} for the first issue, naming its file, line and key
   * @throws {TypeError} when the schema is asynchronous
   */
  bind<S extends StandardSchemaV1>(prefix: string, schema: S): StandardSchemaV1.InferOutput<S>;
  /** An error about `key`: its file, line and full key, then `message`. */
  error(key: string, message: string): Error;
}
