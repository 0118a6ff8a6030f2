import type { StandardSchemaV1 } from "@standard-schema/spec";
import { at, isMap, join } from "./_path.ts";
import { found, isSecretValue } from "./_found.ts";
import { isSecret, PlaceholderError, placeholdersIn } from "../text/mod.ts";
import { validateNow } from "../schema/mod.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { Config, ConfigMap, ConfigValue } from "./types.ts";

export interface PlaceholderValue {
  readonly value: ConfigValue | undefined;
  readonly text?: string;
  readonly isSecret: boolean;
}

/** The value of a placeholder, in any implementation of `Config`. @throws {ConfigError} */
export function placeholderValue(config: Config, name: string): PlaceholderValue {
  if (config instanceof ConfigView) return config.placeholder(name);
  const value = config.get(name) ?? undefined;
  const isScalar = value !== undefined && typeof value !== "object";
  return { value, ...(isScalar && { text: config.string(name) }), isSecret: isSecret(name) };
}

export interface Misfit {
  readonly key: string;
  /** The message of the schema. For a secret, which that message may repeat, only the expected form. */
  readonly message: string;
  readonly isHidden: boolean;
}

export class ConfigView implements Config {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, prefix = "") {
    this.#store = store;
    this.#prefix = prefix;
  }

  get root(): string {
    return this.#store.root;
  }

  get(key: string): ConfigValue | undefined {
    return this.#filled(join(this.#prefix, key));
  }

  string<F extends string | undefined = undefined>(key: string, fallback?: F): string | F {
    const value = this.get(key) ?? undefined;
    return value === undefined ? fallback as F : this.#text(key, value);
  }

  number<F extends number | undefined = undefined>(key: string, fallback?: F): number | F {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return fallback as F;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    throw this.#expected(key, "a number", value);
  }

  boolean<F extends boolean | undefined = undefined>(key: string, fallback?: F): boolean | F {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return fallback as F;
    const text = String(value).toLowerCase();
    if (typeof value !== "object" && (text === "true" || text === "false")) return text === "true";
    throw this.#expected(key, "true or false", value);
  }

  required<K extends "string" | "number" | "boolean" | "strings" | "section" = "string">(
    key: string,
    kind: K = "string" as K,
  ): NonNullable<ReturnType<Config[K]>> {
    const value = (this as Config)[kind](key);
    if (value !== undefined) return value as NonNullable<ReturnType<Config[K]>>;
    const message =
      "Expected a value, found none in application.yml, active profiles and bootstrap()";
    throw this.error(key, message);
  }

  strings(key: string): readonly string[] | undefined {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return [this.#text(key, value)];
    return value.map((item, index) => this.#text(join(key, index), item));
  }

  section(key: string): Config | undefined {
    const value = this.raw(key) ?? undefined;
    if (value === undefined) return undefined;
    if (!isMap(value)) throw this.#expected(key, "a map", value);
    return new ConfigView(this.#store, join(this.#prefix, key));
  }

  sections(key: string): readonly Config[] {
    const value = this.raw(key) ?? undefined;
    if (value === undefined) return [];
    if (isMap(value)) return [this.section(key)!];
    if (!Array.isArray(value)) throw this.#expected(key, "a list of maps", value);
    return value.map((item, index) => {
      const section = this.section(join(key, index));
      if (section) return section;
      throw this.#expected(join(key, index), "a map", item);
    });
  }

  keys(): readonly string[] {
    const value = at(this.#store.values, this.#prefix);
    return isMap(value) ? Object.keys(value) : [];
  }

  bind<S extends StandardSchemaV1>(prefix: string, schema: S): StandardSchemaV1.InferOutput<S> {
    const result = validateNow(schema, this.get(prefix) ?? {}, `Cannot bind '${prefix}'`);
    if (!result.issues) return result.value as StandardSchemaV1.InferOutput<S>;
    const { key, message } = misfitIn(this, prefix, result.issues);
    throw this.error(key, message);
  }

  error(key: string, message: string): ConfigError {
    const path = join(this.#prefix, key);
    return new ConfigError(message, { origin: this.#store.origin(path), key: path });
  }

  placeholder(name: string): PlaceholderValue {
    const variable = this.#store.variable(name);
    const value = variable ?? this.get(name) ?? undefined;
    const isScalar = value !== undefined && typeof value !== "object";
    return {
      value,
      ...(isScalar && { text: variable ?? this.#text(name, value) }),
      isSecret: isSecretValue(join(this.#prefix, name), this.raw(name)),
    };
  }

  /** By the full key. @throws {ConfigError} naming all placeholders that need each other */
  #filled(key: string, outer: readonly string[] = []): ConfigValue | undefined {
    const value = at(this.#store.values, key);
    return value === undefined ? undefined : this.#fill(value, key, outer);
  }

  #fill(value: ConfigValue, key: string, outer: readonly string[]): ConfigValue {
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#fill(item, join(key, index), outer));
    }
    if (isMap(value)) {
      const entries = Object.entries(value).map(([name, item]) => {
        return [name, this.#fill(item, join(key, name), outer)] as const;
      });
      return Object.fromEntries(entries);
    }
    const isPlain = typeof value !== "string" || !value.includes("${") ||
      this.#store.isLiteral(key);
    return isPlain ? value : this.#fillText(value, key, outer);
  }

  /** By the environment variable of a name, else by the key. */
  #fillText(text: string, key: string, outer: readonly string[]): string {
    const { origin, variable, written } = this.#store;
    const error = (message: string) => new ConfigError(message, { origin: origin(key), key });
    if (outer.includes(key)) {
      const circle = [...outer.slice(outer.indexOf(key)), key].join(" → ");
      throw error(`Cannot fill placeholders that need each other: ${circle}`);
    }
    try {
      return fill(text, (name) => {
        const found = variable(name);
        if (found !== undefined) return found;
        const other = this.#filled(name, [...outer, key]) ?? undefined;
        if (typeof other === "object") {
          throw error(
            `Cannot fill '\${${name}}': it is a map or a list, which text cannot contain`,
          );
        }
        return other === undefined ? undefined : written(name) ?? String(other);
      });
    } catch (thrown) {
      throw thrown instanceof PlaceholderError ? error(thrown.message) : thrown;
    }
  }

  /** With its placeholders as they are written. */
  raw(key: string): ConfigValue | undefined {
    return at(this.#store.values, join(this.#prefix, key));
  }

  #text(key: string, value: ConfigValue): string {
    if (value === null || typeof value === "object") throw this.#expected(key, "a string", value);
    return this.#store.written(join(this.#prefix, key)) ?? String(value);
  }

  #expected(key: string, expected: string, value: unknown): ConfigError {
    return this.error(
      key,
      `Expected ${expected}${found(join(this.#prefix, key), value, this.raw(key))}`,
    );
  }
}

interface Store {
  readonly root: string;
  readonly values: ConfigMap;
  readonly variable: (name: string) => string | undefined;
  readonly origin: (key: string) => Origin | undefined;
  /** Whether the value came from the environment, where `${` means nothing. */
  readonly isLiteral: (key: string) => boolean;
  /** A number as it was written, where that is not as it would be written again: `007`, `1.10`. */
  readonly written: (key: string) => string | undefined;
}

/** A default may contain placeholders; `$${` stands for `${`. @throws {PlaceholderError} */
export function fill(text: string, lookup: Store["variable"]): string {
  return placeholdersIn(text).map((part) => {
    if (typeof part === "string") return part;
    const { name, fallback } = part;
    const value = name === "" ? undefined : lookup(name);
    if (value !== undefined) return value;
    if (fallback !== undefined) return fill(fallback, lookup);
    throw new PlaceholderError(`Cannot fill '\${${name}}': it is not set and has no default`);
  }).join("");
}

export function misfitIn(
  config: Config,
  prefix: string,
  [issue]: readonly StandardSchemaV1.Issue[],
): Misfit {
  const { path = [], message } = issue ?? {};
  const key = path.reduce<string>((below, segment) => {
    const part = typeof segment === "object" ? segment.key : segment;
    return join(below, typeof part === "number" ? part : String(part));
  }, prefix);
  const value = config instanceof ConfigView ? config.raw(key) : config.get(key);
  // Some libraries repeat the value, and of a map what is in it.
  const isShown = message !== undefined && !holdsSecret(key, value);
  return {
    key,
    message: isShown ? message : `Does not match the schema${expectedBy(issue)}`,
    isHidden: !isShown,
  };
}

/** The expectation that Zod, Valibot and ArkType state beside their message. */
function expectedBy(issue: StandardSchemaV1.Issue | undefined): string {
  const { expected, format, minimum, maximum } = (issue ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const rule = expected ?? format ??
    (minimum === undefined
      ? maximum === undefined ? undefined : `at most ${maximum}`
      : `at least ${minimum}`);
  return rule === undefined ? "" : `: expected ${rule}`;
}

function holdsSecret(key: string, value: ConfigValue | undefined): boolean {
  if (isSecretValue(key, value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => holdsSecret(join(key, name), inner));
}
