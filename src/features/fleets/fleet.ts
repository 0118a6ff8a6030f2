import type { Config } from "../../config/mod.ts";
import {
  checkKeys,
  type FeatureKey,
  featureKey,
  MAX_SECONDS,
  type Offering,
} from "../../migrations/runner/mod.ts";
import { PLACE } from "../../migrations/search/offers.ts";
import { EACH_KEY as EACH, readParallel } from "../parts/each.ts";
import type { SearchConnection } from "../../migrations/search/types.ts";

/** `migrations.each` of a search connection. Clusters are read when they are needed, so that others need no secrets. */
export interface Fleet {
  readonly section: Config;
  readonly parallel: number;
  readonly groups: readonly string[];
  /** Seconds between two groups. */
  readonly pause: number | "confirm";
  readonly at: (section: Config) => SearchConnection;
}

export const FLEET: FeatureKey<Fleet> = featureKey("fleet");

export const CLUSTERS = `${EACH}.clusters`;

/** @throws {ConfigError} */
export function readFleet(section: Config, engine: Offering): Fleet | undefined {
  const { hosts, at } = PLACE.of(engine)!;
  if (section.get(EACH) == null) return undefined;
  checkKeys(section, EACH, ["clusters", "parallel", "groups", "pause"]);
  if (hosts.length > 0) {
    const message = "Expected no hosts beside 'migrations.each', whose clusters have their own";
    throw section.error("hosts", message);
  }
  const parallel = readParallel(section, 4);
  const groups = section.strings(`${EACH}.groups`) ?? [];
  return { section, at, parallel, groups, pause: pauseOf(section) };
}

function pauseOf(section: Config): Fleet["pause"] {
  const key = `${EACH}.pause`;
  const value = section.get(key) ?? 0;
  if (value === "confirm") return value;
  const seconds = ["number", "string"].includes(typeof value) ? Number(value) : NaN;
  if (value !== "" && seconds >= 0 && seconds <= MAX_SECONDS) return seconds;
  throw section.error(key, `Expected seconds, or 'confirm': at most ${MAX_SECONDS}`);
}
