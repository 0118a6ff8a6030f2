import type { StandardSchemaV1 } from "@standard-schema/spec";
import { at, isMap, join } from "./_path.ts";
import { fill, UnresolvedPlaceholder } from "./_placeholders.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { Config, ConfigMap, ConfigValue } from "./types.ts";

/** What all sections of one configuration share. */
export interface Store {
  readonly root: string;
  readonly values: ConfigMap;
  readonly variable: (name: string) => string | undefined;
  readonly origin: (key: string) => Origin | undefined;
}

const SECRET = /password|secret|token|api[-_]?key|credential|private/i;

/** A configuration, or the part of one below a key. */
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
    const path = join(this.#prefix, key);
    const value = at(this.#store.values, path);
    return value === undefined ? undefined : this.#fill(value, path, []);
  }

  string(key: string): string | undefined;
  string(key: string, fallback: string): string;
  string(key: string, fallback?: string): string | undefined {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return fallback;
    if (typeof value === "object") throw this.#expected(key, "a text", value);
    return String(value);
  }

  number(key: string): number | undefined;
  number(key: string, fallback: number): number;
  number(key: string, fallback?: number): number | undefined {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return fallback;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) {
      throw this.#expected(key, "a number", value);
    }
    return number;
  }

  boolean(key: string): boolean | undefined;
  boolean(key: string, fallback: boolean): boolean;
  boolean(key: string, fallback?: boolean): boolean | undefined {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return fallback;
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    throw this.#expected(key, "true or false", value);
  }

  strings(key: string): readonly string[] | undefined {
    const value = this.get(key) ?? undefined;
    if (value === undefined) return undefined;
    const list: readonly ConfigValue[] = Array.isArray(value) ? value : [value as ConfigValue];
    return list.map((item, index) => {
      if (item !== null && typeof item !== "object") return String(item);
      throw this.#expected(Array.isArray(value) ? join(key, index) : key, "a text", item);
    });
  }

  section(key: string): Config | undefined {
    const value = at(this.#store.values, join(this.#prefix, key)) ?? undefined;
    if (value === undefined) return undefined;
    if (!isMap(value)) throw this.#expected(key, "a map", value);
    return new ConfigView(this.#store, join(this.#prefix, key));
  }

  sections(key: string): readonly Config[] {
    const value = at(this.#store.values, join(this.#prefix, key)) ?? undefined;
    if (value === undefined) return [];
    if (isMap(value)) return [this.section(key)!];
    if (!Array.isArray(value)) throw this.#expected(key, "a list of maps", value);
    return value.map((_, index) => {
      const item = join(key, index);
      return this.section(item) ?? (() => {
        throw this.#expected(item, "a map", null);
      })();
    });
  }

  keys(): readonly string[] {
    const value = at(this.#store.values, this.#prefix);
    return isMap(value) ? Object.keys(value) : [];
  }

  bind<S extends StandardSchemaV1>(prefix: string, schema: S): StandardSchemaV1.InferOutput<S> {
    const result = schema["~standard"].validate(this.get(prefix) ?? {});
    if (result instanceof Promise) {
      throw new TypeError(`Cannot bind '${prefix}': expected a schema that is not asynchronous`);
    }
    const [issue] = result.issues ?? [];
    if (!issue) return (result as StandardSchemaV1.SuccessResult<unknown>).value as never;
    const path = (issue.path ?? []).map((part) => typeof part === "object" ? part.key : part);
    const key = path.reduce<string>(
      (below, part) => join(below, typeof part === "number" ? part : String(part)),
      prefix,
    );
    throw this.error(key, issue.message);
  }

  error(key: string, message: string): ConfigError {
    const path = join(this.#prefix, key);
    return new ConfigError(message, { origin: this.#store.origin(path), key: path });
  }

  #expected(key: string, expected: string, found: unknown): ConfigError {
    const secret = SECRET.test(join(this.#prefix, key));
    const kind = found === null
      ? "nothing"
      : Array.isArray(found)
      ? "a list"
      : typeof found === "object"
      ? "a map"
      : `'${found}'`;
    return this.error(key, `Expected ${expected}${secret ? "" : `, found ${kind}`}`);
  }

  /** The value with every placeholder filled. `path` names the value, `outer` the values that need it. */
  #fill(value: ConfigValue, path: string, outer: readonly string[]): ConfigValue {
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#fill(item, join(path, index), outer));
    }
    if (isMap(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, this.#fill(item, join(path, key), outer)]),
      );
    }
    return typeof value === "string" && value.includes("${")
      ? this.#fillText(value, path, outer)
      : value;
  }

  #fillText(text: string, path: string, outer: readonly string[]): string {
    const fail = (message: string) =>
      new ConfigError(message, { origin: this.#store.origin(path), key: path });
    if (outer.includes(path)) {
      throw fail(`Cannot fill placeholders that need each other: ${outer.join(" → ")}`);
    }
    try {
      return fill(text, (name) => {
        const variable = this.#store.variable(name);
        if (variable !== undefined) return variable;
        const other = at(this.#store.values, name) ?? undefined;
        if (other === undefined) return undefined;
        if (typeof other === "object") {
          throw fail(`Cannot fill '\${${name}}': it is no single value`);
        }
        return String(this.#fill(other, name, [...outer, path]));
      });
    } catch (error) {
      throw error instanceof UnresolvedPlaceholder ? fail(error.message) : error;
    }
  }
}
