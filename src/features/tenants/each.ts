import type { Config } from "../../config/mod.ts";
import {
  checkKeys,
  type FeatureKey,
  featureKey,
  type ManyOptions,
} from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { EACH_KEY as KEY, readParallel } from "../parts/each.ts";
import type { Engine } from "../../migrations/sql/types.ts";

/** `migrations.each`: either a query or a list, whose items have a URL if they are not schemas. */
export interface Each {
  readonly of: "schemas" | "urls";
  readonly query: string | undefined;
  readonly listed: Listed;
  readonly parallel: number;
  readonly shared: readonly string[];
  at(url: string): Datasource;
  error(message: string, key?: "shared"): Error;
}

export interface Asked extends Pick<ManyOptions, "only" | "create" | "signal" | "onEvent"> {
  readonly each: Each;
}

export const EACH: FeatureKey<Each> = featureKey("each");

export type Listed = readonly (readonly [name: string | undefined, url?: string])[];

export function readEach(
  config: Config,
  { schemas, title, schemes: [scheme] }: Engine,
  at: (url: string) => Datasource,
): Each | undefined {
  const given = Object(config.get(KEY) ?? undefined);
  if (config.get(KEY) == null) return undefined;
  checkKeys(config, KEY, ["schemas", "urls", "parallel", "shared"]);
  const [of, other] = (["schemas", "urls"] as const).filter((name) => given[name] != null);
  if (of === undefined || other) {
    throw config.error(KEY, `Expected 'schemas' or 'urls', found ${of ? "both" : "neither"}`);
  }
  const error: Each["error"] = (message, name) => config.error(`${KEY}.${name ?? of}`, message);
  if (of === "schemas" && schemas === "none") {
    throw error(`${title} has no schemas: list files by 'urls', such as '${scheme}:./acme.db'`);
  }
  const parallel = readParallel(config, 8);
  const query = typeof given[of] === "string" ? given[of] : undefined;
  if (query !== undefined && !/^\s*(?:SELECT|WITH|VALUES|TABLE)\b/i.test(query)) {
    throw error("Expected a list, or a query that begins with SELECT, WITH, VALUES or TABLE");
  }
  const listed = query === undefined ? readList(config, `${KEY}.${of}`, of) : [];
  return { of, query, listed, parallel, shared: config.strings(`${KEY}.shared`) ?? [], at, error };
}

function readList(config: Config, key: string, of: string): Listed {
  if (of === "schemas") return (config.strings(key) ?? []).map((name) => [name]);
  if (Array.isArray(config.get(key))) return config.strings(key)!.map((url) => [undefined, url]);
  const urls = config.section(key)!;
  return urls.keys().map((name) => [name, urls.string(name) ?? ""]);
}
