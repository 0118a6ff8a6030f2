import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import { compact, partsOf } from "../../migrations/search/json/_slices.ts";
import { type Answer, describeFailure, isBusy } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, listOf } from "../../migrations/search/json/json_values.ts";

import { expectAnswer, StepError } from "./expect.ts";

export interface DocumentKey {
  readonly id: string;
  readonly routing?: string;
}

/** A document as it stands in an answer: what is a number there stays the text of one, and its source what was stored. */
export interface StoredDocument extends DocumentKey {
  readonly version: string;
  readonly seqNo: number;
  readonly source: string;
}

const TRIES = 8;

export interface PageQuery {
  readonly shard: string;
  readonly after: number;
  readonly size: number;
  readonly keysOnly?: boolean;
}

/** Reads a page from the primary: what was refreshed there. */
export async function readPage(
  cluster: Cluster,
  index: string,
  { shard, after, size, keysOnly = false }: PageQuery,
): Promise<readonly StoredDocument[]> {
  const parameters = `preference=_shards:${shard}%7C_primary&version=true&seq_no_primary_term=true`;
  const path = `/${encodeURIComponent(index)}/_search?${parameters}`;
  const body = JSON.stringify({
    size,
    track_total_hits: false,
    ...(keysOnly && { _source: false }),
    query: { range: { _seq_no: { gt: after } } },
    // An index without a mapping has no field '_seq_no' (tried, 2.19 and 3.4).
    sort: [{ _seq_no: { order: "asc", unmapped_type: "long" } }],
  });
  const found = documentsIn(await searchWhole(cluster, path, body), ["hits", "hits"]);
  return found.filter((document) => document !== undefined);
}

export async function readSample(
  cluster: Cluster,
  index: string,
  size: number,
): Promise<readonly DocumentKey[]> {
  const path = `/${encodeURIComponent(index)}/_search?preference=_primary`;
  const score = { seed: Math.floor(Math.random() * 2 ** 31), field: "_seq_no" };
  const query = { function_score: { random_score: score, boost_mode: "replace" } };
  const body = JSON.stringify({ size, track_total_hits: false, _source: false, query });
  const { json } = await searchWhole(cluster, path, body);
  return keysIn(json);
}

export function keysIn(json: unknown): readonly DocumentKey[] {
  return listOf(field(json, "hits", "hits")).map((hit) => {
    const [id, routing] = [String(field(hit, "_id")), field(hit, "_routing")];
    return typeof routing === "string" ? { id, routing } : { id };
  });
}

export async function readByKey(
  cluster: Cluster,
  index: string,
  keys: readonly DocumentKey[],
): Promise<readonly (StoredDocument | undefined)[]> {
  if (keys.length === 0) return [];
  const path = `/${encodeURIComponent(index)}/_mget`;
  const docs = keys.map(({ id, routing }) => ({
    _id: id,
    ...(routing !== undefined && { routing }),
  }));
  const request = { method: "POST", path, body: JSON.stringify({ docs }) };
  for (let attempt = 1;; attempt++) {
    const answer = await expectAnswer(cluster, request);
    const failed = listOf(field(answer.json, "docs")).find((found) =>
      field(found, "error") !== undefined
    );
    if (failed === undefined) return documentsIn(answer, ["docs"]);
    const error = field(failed, "error");
    const isGone = field(error, "type") === "index_not_found_exception";
    if (isGone || attempt === TRIES) {
      throw new StepError(request, answer, JSON.stringify(error).slice(0, 500));
    }
    await pause(backOffMs(attempt));
  }
}

/** A search of which each shard has to answer; its answer has to have `_shards` and `timed_out`. */
export async function searchWhole(cluster: Cluster, path: string, body: string): Promise<Answer> {
  const request = { method: "POST", path, body };
  for (let attempt = 1;; attempt++) {
    const answer = await cluster.send(request, { repeatSafe: true });
    const shards = field(answer.json, "_shards");
    const isWhole = answer.status === 200 && field(shards, "failed") === 0 &&
      Number(field(shards, "successful")) > 0 && field(answer.json, "timed_out") === false;
    if (isWhole) return answer;
    if (attempt === TRIES) throw new StepError(request, answer, describeFailure(answer));
    if (answer.status !== 200 && answer.status < 500 && !isBusy(answer)) {
      throw new StepError(request, answer, describeFailure(answer));
    }
    await pause(backOffMs(attempt));
  }
}

/** Cuts documents out of the text of an answer: `undefined` for those that it says were not found. */
function documentsIn(
  { text }: Answer,
  path: readonly string[],
): readonly (StoredDocument | undefined)[] {
  let start = text.indexOf("{");
  for (const name of path) start = membersAt(text, start).get(name)!.start;
  return partsOf(text, start).map(({ value }) => {
    const members = membersAt(text, value.start);
    const sourceOf = (name: string) => {
      const slice = members.get(name);
      return slice && text.slice(slice.start, slice.end);
    };
    if (sourceOf("found") === "false") return undefined;
    const routing = sourceOf("_routing");
    return {
      id: JSON.parse(sourceOf("_id")!) as string,
      ...(routing !== undefined && { routing: JSON.parse(routing) as string }),
      version: sourceOf("_version") ?? "",
      seqNo: Number(sourceOf("_seq_no")),
      source: compact(sourceOf("_source") ?? ""),
    };
  });
}

function membersAt(
  text: string,
  start: number,
): ReadonlyMap<string, { start: number; end: number }> {
  return new Map(
    partsOf(text, start).map((
      { name, value },
    ) => [text.slice(name.start + 1, name.end - 1), value]),
  );
}
