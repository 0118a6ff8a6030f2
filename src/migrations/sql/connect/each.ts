import type { Config } from "../../../config/mod.ts";
import { checkKeys } from "../../runner/mod.ts";
import type { Address } from "./url.ts";

/** The tenants of a datasource, as `migrations.each` describes them. */
export interface Each<D> {
  /** What each of them has of its own: a schema of PostgreSQL, a database of MySQL, or a URL. */
  readonly of: "schemas" | "urls";
  /** A query whose rows name them; else `listed` does. */
  readonly query?: string;
  readonly listed: readonly Listed[];
  readonly parallel: number;
  /** Paths of files, and of folders with `/` at their end. */
  readonly shared: readonly string[];
  /** The database that a URL of a tenant names. @throws {TypeError | ConfigError} */
  at(url: string): D;
  /** An error at the setting that names the tenants, or at another one below `each`. */
  error(message: string, key?: "shared" | "parallel"): Error;
}

/** A name, or a URL with the name that the configuration or a query gives it. */
export interface Listed {
  readonly name?: string;
  readonly url?: string;
}

const PARALLEL = 8;

/** @throws {ConfigError} */
export function readEach<D>(
  config: Config,
  kind: Address["kind"],
  at: (url: string) => D,
): Each<D> | undefined {
  const key = "migrations.each";
  if ((config.get(key) ?? undefined) === undefined) return undefined;
  checkKeys(config, key, ["schemas", "urls", "parallel", "shared"]);
  const has = (name: string) => (config.get(`${key}.${name}`) ?? undefined) !== undefined;
  const [of, other] = (["schemas", "urls"] as const).filter(has);
  if (of === undefined || other !== undefined) {
    throw config.error(
      key,
      `Expected either 'schemas' or 'urls', found ${of ? "both" : "neither"}`,
    );
  }
  const error: Each<D>["error"] = (message, name) => config.error(`${key}.${name ?? of}`, message);
  if (of === "schemas" && kind === "sqlite") {
    throw error("SQLite has no schemas: list files by 'urls', such as 'sqlite:./acme.db'");
  }
  if (config.string("migrations.schema_file") !== undefined) {
    const message = "It describes one database, and 'migrations.each' names several: remove it";
    throw config.error("migrations.schema_file", message);
  }
  const parallel = config.number(`${key}.parallel`, PARALLEL);
  if (!Number.isInteger(parallel) || parallel < 1) {
    throw error(`Expected a whole number from 1, found '${parallel}'`, "parallel");
  }
  const value = config.get(`${key}.${of}`);
  const query = typeof value === "string" ? value : undefined;
  if (query !== undefined && !/^\s*(?:SELECT|WITH|VALUES|TABLE)\b/i.test(query)) {
    throw error("Expected a list, or a query that begins with SELECT, WITH, VALUES or TABLE");
  }
  const listed = query === undefined ? readList(config, `${key}.${of}`, of) : [];
  const shared = config.strings(`${key}.shared`) ?? [];
  return { of, ...(query !== undefined && { query }), listed, parallel, shared, at, error };
}

function readList(config: Config, key: string, of: "schemas" | "urls"): readonly Listed[] {
  if (of === "urls" && !Array.isArray(config.get(key))) {
    const urls = config.section(key);
    return (urls?.keys() ?? []).map((name) => ({ name, url: urls?.string(name) ?? "" }));
  }
  return (config.strings(key) ?? []).map((text) => of === "urls" ? { url: text } : { name: text });
}
