import type { Config } from "../../config/mod.ts";
import { type FeatureKey, featureKey, type Migration, type Offering } from "../runner/mod.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { Host, SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";

/** The offers of a search cluster to features, at its target. */
export const SEARCH: FeatureKey<SearchOffer> = featureKey("search connection");

interface SearchOffer {
  readonly connection: SearchConnection;
  readonly environment: SearchEnvironment;
}

/** The connection of a session: features send their own requests by it. */
export const CLUSTER: FeatureKey<Cluster> = featureKey("cluster");

/** The cluster and the connection by which a feature sends requests of its own, in a session of a search cluster. */
export function searchSessionOf(holder: Offering) {
  const [cluster, search] = [CLUSTER.of(holder), SEARCH.of(holder)];
  if (!cluster || !search) throw new Error("Expected the session of a search cluster");
  return { cluster, ...search };
}

/** Where a connection leads, as features see it that read its settings. */
export const PLACE: FeatureKey<SearchPlace> = featureKey("place");

interface SearchPlace {
  readonly hosts: readonly Host[];
  readonly at: (section: Config) => SearchConnection;
}

export function isSearchMigration(migration: Migration): migration is SearchMigration {
  return "request" in migration;
}

export function searchMigrations(migrations: readonly Migration[]): readonly SearchMigration[] {
  return migrations.filter(isSearchMigration);
}
