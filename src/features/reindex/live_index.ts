import { type Answer, describeFailure } from "../../migrations/search/cluster/answer.ts";
import type { Asking, Cluster } from "../../migrations/search/cluster/cluster.ts";
import {
  field,
  isObject,
  type Json,
  mapValues,
  objectOf,
} from "../../migrations/search/json/json_values.ts";
import { flatSettings } from "../../migrations/search/kinds/indices.ts";
import { expectAnswer, StepError } from "./expect.ts";

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
  const path = `/${encodeURIComponent(name)}?flat_settings=true`;
  const answer = await cluster.send({ method: "GET", path }, { repeatSafe: true });
  if (answer.status === 404) return [];
  if (answer.status !== 200 || !isObject(answer.json) || Object.keys(answer.json).length === 0) {
    throw new StepError(
      { method: "GET", path },
      answer,
      answer.status === 200
        ? `expected an index, found ${answer.text.slice(0, 100)}`
        : describeFailure(answer),
    );
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

/** Which of the indices at a path were rolled over, and by which alias: none where that cannot be read. */
export async function rolloversOf(
  cluster: Asking,
  path: string,
): Promise<readonly { readonly index: string; readonly alias: string }[]> {
  const filter = "filter_path=metadata.indices.*.rollover_info";
  const state = `/_cluster/state/metadata${path}?${filter}`;
  const { json } = await cluster.ask({ method: "GET", path: state });
  return Object.entries(objectOf(field(json, "metadata", "indices"))).flatMap(([index, found]) =>
    Object.keys(objectOf(field(found, "rollover_info"))).map((alias) => ({ index, alias }))
  );
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

export interface IndexSize {
  readonly documents: number;
  readonly bytes: number;
}

/** The size of an index: documents that are not searchable yet do not count. */
export async function sizeOf(cluster: Cluster, name: string): Promise<IndexSize> {
  const index = encodeURIComponent(name);
  const path = `/${index}/_stats/store?filter_path=_all.primaries`;
  const { json } = await expectAnswer(cluster, { method: "GET", path });
  const store = field(json, "_all", "primaries", "store");
  // Statistics count nested documents, too.
  const count = await expectAnswer(cluster, { method: "GET", path: `/${index}/_count` });
  return {
    documents: Number(field(count.json, "count") ?? 0),
    bytes: Number(field(store, "size_in_bytes") ?? 0),
  };
}

/** `20,045 documents, 3.2 MB`. */
export function describeSize({ documents, bytes }: IndexSize): string {
  const megabytes = (bytes / 1e6).toFixed(1);
  return `${documents.toLocaleString("en")} document${documents === 1 ? "" : "s"}, ${megabytes} MB`;
}
