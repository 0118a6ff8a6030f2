import { type FeatureKey, featureKey, type Migration } from "../runner/mod.ts";
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

/** The hosts of a connection, as features see them that read its settings. */
export const HOSTS: FeatureKey<readonly Host[]> = featureKey("hosts");

export function isSearchMigration(migration: Migration): migration is SearchMigration {
  return "request" in migration;
}

export function searchMigrations(migrations: readonly Migration[]): readonly SearchMigration[] {
  return migrations.filter(isSearchMigration);
}
