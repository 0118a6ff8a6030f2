import type { Asking, Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field } from "../../migrations/search/json/json_values.ts";
import { rolloversOf } from "../../migrations/search/compare/live_settings.ts";
import { expectAnswer } from "../live_indices/expect.ts";
import type { LiveIndex } from "../live_indices/live_index.ts";

/** The aliases of a rollover series that the index was or became the write index of. */
export async function seriesOf(
  cluster: Asking,
  { name, aliases }: LiveIndex,
): Promise<readonly string[]> {
  const written = Object.keys(aliases).filter((alias) => aliases[alias]?.is_write_index === true);
  return (await rolloversOf(cluster, `/${[name, ...written].map(encodeURIComponent).join(",")}`))
    .flatMap(({ index, alias }) => index === name || written.includes(alias) ? alias : []);
}

/** The size of an index: documents that are not searchable yet do not count. */
export async function sizeOf(cluster: Cluster, name: string) {
  const index = encodeURIComponent(name);
  const path = `/${index}/_stats/store?filter_path=_all.primaries`;
  const { json } = await expectAnswer(cluster, { method: "GET", path });
  // Statistics count nested documents, too.
  const count = await expectAnswer(cluster, { method: "GET", path: `/${index}/_count` });
  return {
    documents: Number(field(count.json, "count") ?? 0),
    bytes: Number(field(json, "_all", "primaries", "store", "size_in_bytes") ?? 0),
  };
}

/** `20,045 documents, 3.2 MB`. */
export function describeSize({ documents, bytes }: Awaited<ReturnType<typeof sizeOf>>): string {
  return `${documentCount(documents)}, ${(bytes / 1e6).toFixed(1)} MB`;
}

export function documentCount(number: number): string {
  return `${number.toLocaleString("en")} document${number === 1 ? "" : "s"}`;
}
