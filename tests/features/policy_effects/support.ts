import { POLICY_CHANGES } from "../../../src/features/policy_effects/feature.ts";
import type { PolicyChanges } from "../../../src/features/policy_effects/managed.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";

/** The connection, with what a changed policy does to its indices. */
export function policies(connection: SearchConnection, changes: PolicyChanges): SearchConnection {
  return { ...connection, offers: [...connection.offers, POLICY_CHANGES.offer(changes)] };
}
