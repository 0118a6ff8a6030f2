import { hasNoHandler } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { DATA_STREAMS } from "../../migrations/search/kinds/named.ts";
import { expectAnswer } from "../live_indices/expect.ts";
import { isVersionOf } from "../live_indices/live_index.ts";

/** The indices of a data stream, or behind a write alias. */
export interface Series {
  readonly kind: "data stream" | "write alias" | "alias";
  readonly name: string;
  readonly index: string;
  readonly older: readonly string[];
  /** The name that templates have to match to define the next index. */
  readonly matched: string;
}

export async function readSeries(cluster: Cluster): Promise<readonly Series[]> {
  return [...await dataStreams(cluster), ...await writeAliases(cluster)]
    .filter(({ name, index }) => !name.startsWith(".") && !/^\.(?!ds-)/.test(index));
}

/** Elasticsearch without its module has no data streams. */
export async function listOfAll(cluster: Cluster, path: string, member: string) {
  const { json } = await expectAnswer(cluster, { method: "GET", path }, hasNoHandler);
  return listOf(field(json, member)).map(objectOf);
}

async function dataStreams(cluster: Cluster): Promise<readonly Series[]> {
  const streams = await listOfAll(cluster, "/_data_stream", "data_streams");
  return streams.filter((one) => !DATA_STREAMS.list?.isBuiltIn?.(one, "")).map((stream) => {
    const name = String(stream.name);
    const older = listOf(stream.indices).map((one) => String(field(one, "index_name")));
    return { kind: "data stream", name, index: older.pop()!, older, matched: name };
  });
}

async function writeAliases(cluster: Cluster): Promise<readonly Series[]> {
  const path = "/_alias?expand_wildcards=all";
  const { json } = await expectAnswer(cluster, { method: "GET", path });
  const all = Object.entries(objectOf(json)).flatMap(([index, one]) =>
    Object.entries(objectOf(field(one, "aliases"))).map(([alias, about]) => {
      return { alias, index, isWriteIndex: field(about, "is_write_index") };
    })
  );
  return [...Map.groupBy(all, ({ alias }) => alias)].flatMap(([name, found]): Series[] => {
    const indices = found.map(({ index }) => index).toSorted();
    // An alias writes to its only index, too; that of a series is named after it.
    const isOnly = found.length === 1 && found[0]!.isWriteIndex === undefined &&
      indices[0]!.replace(/-\d{6}$/, "-") === `${name}-`;
    const index = isOnly ? indices[0] : found.find((one) => one.isWriteIndex === true)?.index;
    // Live reindex numbers the versions of its indices itself.
    if (index === undefined || isVersionOf(name, index)) return [];
    const older = indices.filter((one) => one !== index);
    // A rollover gives the next index this name; where there is no number, the caller has to name it.
    const matched = index.replace(/(?<=-)\d+$/, numberAfter);
    return [{ kind: isOnly ? "alias" : "write alias", name, index, older, matched }];
  });
}

export function numberAfter(last: string): string {
  return `${Number(last) + 1}`.padStart(6, "0");
}

/** Why definitions prevent a rollover, which `dry_run` does not tell: it knows the live templates alone. */
export function problemOf(one: Series, all: readonly Series[], aliases: unknown) {
  if (one.kind === "data stream") return undefined;
  if (one.kind === "alias") return `it would lose '${one.index}': set 'is_write_index: true' there`;
  if (field(aliases, one.name)) return "its template gives it to new indices: remove it from there";
  const twin = all.find(({ index, name }) => index === one.index && name !== one.name)?.name;
  return twin && `'${one.index}' is the write index of '${twin}', too: a rollover moves one alias`;
}
