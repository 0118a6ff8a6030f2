import { hasNoHandler } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { DATA_STREAMS } from "../../migrations/search/kinds/named.ts";
import { expectAnswer } from "../reindex/expect.ts";
import { isVersionOf } from "../reindex/names.ts";

export interface Target {
  readonly kind: "data stream" | "write alias";
  readonly name: string;
  readonly index: string;
  readonly older: readonly string[];
  /** The name that templates have to match to define the next index. */
  readonly matched: string;
}

export async function readTargets(cluster: Cluster): Promise<readonly Target[]> {
  return [...await dataStreams(cluster), ...await writeAliases(cluster)]
    .filter(({ name, index }) => !name.startsWith(".") && !/^\.(?!ds-)/.test(index));
}

/** Elasticsearch without its module has no data streams. */
export async function listOfAll(cluster: Cluster, path: string, member?: string) {
  const { json } = await expectAnswer(cluster, { method: "GET", path }, hasNoHandler);
  return listOf(member === undefined ? json : field(json, member)).map(objectOf);
}

async function dataStreams(cluster: Cluster): Promise<readonly Target[]> {
  const streams = await listOfAll(cluster, "/_data_stream", "data_streams");
  return streams.filter((one) => !DATA_STREAMS.list?.isBuiltIn?.(one, "")).map((stream) => {
    const name = String(stream.name);
    const older = listOf(stream.indices).map((one) => String(field(one, "index_name")));
    return { kind: "data stream", name, index: older.pop()!, older, matched: name };
  });
}

async function writeAliases(cluster: Cluster): Promise<readonly Target[]> {
  const path = "/_cat/aliases?format=json&expand_wildcards=all&h=alias,index,is_write_index";
  const byName = Map.groupBy(await listOfAll(cluster, path), ({ alias }) => String(alias));
  return [...byName].flatMap(([name, all]): Target[] => {
    const indices = all.map((one) => String(one.index));
    // An alias writes to its only index, too; that of a series is named after it.
    const isOnly = all.length === 1 && all[0]!.is_write_index === "-" &&
      indices[0]!.replace(/-\d{6}$/, "-") === `${name}-`;
    const index = isOnly
      ? indices[0]
      : indices[all.findIndex((one) => one.is_write_index === "true")];
    // Live reindex numbers the versions of its indices itself.
    if (index === undefined || isVersionOf(name, index)) return [];
    const older = indices.filter((one) => one !== index);
    return [{ kind: "write alias", name, index, older, matched: nextName(index) ?? index }];
  });
}

/** The name that a rollover gives the next index; `undefined` where the caller has to name it. */
function nextName(index: string): string | undefined {
  const [, base, number] = /^(.*-)(\d+)$/s.exec(index) ?? [];
  return number && `${base}${String(Number(number) + 1).padStart(6, "0")}`;
}

/** Why definitions prevent a rollover, which `dry_run` does not tell: it knows the live templates alone. */
export function rolloverProblem(
  { kind, name, index }: Target,
  targets: readonly Target[],
  aliases: unknown,
): string | undefined {
  if (kind === "data stream") return undefined;
  if (field(aliases, name)) return "its template gives it to new indices: remove it from there";
  const other = targets.find((one) => one.index === index && one.name !== name)?.name;
  return other && `'${index}' is the write index of '${other}', too: a rollover moves one alias`;
}
