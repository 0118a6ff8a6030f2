import { REINDEX, type ReindexSettings } from "../../../src/features/reindex/settings.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";

/** The connection, with live indices that are changed. */
export function reindexing(
  connection: SearchConnection,
  settings: ReindexSettings,
): SearchConnection {
  const offers = [...connection.offers, REINDEX.offer(settings)];
  return { ...connection, offers, changesIndices: true };
}
