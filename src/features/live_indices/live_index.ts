import type { Answer } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import {
  field,
  isEmpty,
  isObject,
  type Json,
  mapValues,
  objectOf,
} from "../../migrations/search/json/json_values.ts";
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

export const VERSION = /^-[0-9a-f]{8}-(\d+)$/;

/** The name of an index behind the alias `name`: `orders-1a2b3c4d-2`. */
export function versionName(name: string, hash: string, number: number): string {
  return `${name}-${hash.slice(0, 8)}-${number}`;
}

export function isVersionOf(name: string, index: string): boolean {
  return index.startsWith(name) && VERSION.test(index.slice(name.length));
}
