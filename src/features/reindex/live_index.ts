import type { Answer } from "../../migrations/search/cluster/answer.ts";
import type { Asking, Cluster } from "../../migrations/search/cluster/cluster.ts";
import {
  field,
  isEmpty,
  isObject,
  type Json,
  mapValues,
  objectOf,
} from "../../migrations/search/json/json_values.ts";
import { rolloversOf } from "../../migrations/search/compare/live_settings.ts";
import { flatSettings } from "../../migrations/search/kinds/indices.ts";
import { AnswerError, expectAnswer } from "./expect.ts";

export interface LiveIndex {
  readonly name: string;
  /** By their whole names, `index.number_of_shards`; values are texts, or lists of them. */
  readonly settings: Json;
  readonly mappings: Json;
  readonly aliases: Readonly<Record<string, Json>>;
  /** Its `settings` and `mappings` as they stand in the answer, to be sent on byte for byte. */
  readonly answer: Answer;
}

/** The indices that stand behind a name, an alias or an index; none where there is neither. */
export async function readIndices(cluster: Cluster, name: string): Promise<readonly LiveIndex[]> {
  const request = { method: "GET", path: `/${encodeURIComponent(name)}?flat_settings=true` };
  const answer = await expectAnswer(cluster, request, ({ status }) => status === 404);
  if (answer.status === 404) return [];
  if (!isObject(answer.json) || isEmpty(answer.json)) {
    const reason = `expected an index, found ${answer.text.slice(0, 100)}`;
    throw new AnswerError(request, answer, reason);
  }
  return Object.entries(answer.json).map(([index, found]) => ({
    name: index,
    settings: flatSettings(objectOf(field(found, "settings"))),
    mappings: objectOf(field(found, "mappings")),
    aliases: mapValues(objectOf(field(found, "aliases")), objectOf) as LiveIndex["aliases"],
    answer,
  }));
}

export async function readIndex(cluster: Cluster, name: string): Promise<LiveIndex | undefined> {
  return (await readIndices(cluster, name)).find((index) => index.name === name);
}

/** The aliases of a rollover series that the index was or became the write index of. */
export async function seriesOf(
  cluster: Asking,
  { name, aliases }: LiveIndex,
): Promise<readonly string[]> {
  const written = Object.keys(aliases).filter((alias) => aliases[alias]?.is_write_index === true);
  const path = `/${[name, ...written].map(encodeURIComponent).join(",")}`;
  return (await rolloversOf(cluster, path))
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
