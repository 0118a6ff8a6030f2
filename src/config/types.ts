/** A value of the configuration after placeholders were filled in. */
export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };

/**
 * Read-only configuration. Keys are dotted, with indices for lists: `server.port`, `search[0].hosts[1]`.
 * Every complaint about a value names the file, the line and the full key it came from.
 */
export interface Config {
  /** The application root: relative paths in the configuration start here. Absolute, or `""` on the edge. */
  readonly root: string;
  /** The value of `key` as it is, or `undefined` when it is not set. */
  get(key: string): ConfigValue | undefined;
  /** @throws {ConfigError} when the value is not a string (numbers and booleans are accepted as their text) */
  string(key: string): string | undefined;
  string(key: string, fallback: string): string;
  /** @throws {ConfigError} when the value is no finite number nor the text of one */
  number(key: string): number | undefined;
  number(key: string, fallback: number): number;
  /** @throws {ConfigError} when the value is no boolean nor the text `true` or `false` */
  boolean(key: string): boolean | undefined;
  boolean(key: string, fallback: boolean): boolean;
  /** A list of strings; one string counts as a list of one. @throws {ConfigError} */
  strings(key: string): readonly string[] | undefined;
  /** The map at `key` as a configuration of its own, or `undefined`. @throws {ConfigError} when it is no map */
  section(key: string): Config | undefined;
  /** Each map of the list at `key` (a single map counts as a list of one); empty when unset. @throws {ConfigError} */
  sections(key: string): readonly Config[];
  /** Keys one level below, in file order. */
  keys(): readonly string[];
  /** An error about `key`: its file, line and full key, then `message`. */
  error(key: string, message: string): Error;
}
