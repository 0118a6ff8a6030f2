import type { Preview } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import type { ReindexSettings } from "./settings.ts";
import { definitionOf, expectedIndex, type IndexDefinition } from "./definition.ts";
import {
  allOf,
  differenceOf,
  expectedWay,
  type IndexDifference,
  unindexedNote,
  type Way,
} from "./difference.ts";
import { CopyRefusedError } from "./expect.ts";
import { leftNote } from "./notes.ts";
import { describeSize, type LiveIndex, readIndices, seriesOf, sizeOf } from "./live_index.ts";
import { namesBelow, nextVersion, versionName } from "./names.ts";
import { refuseNext, refuseOtherServers, refuseUnfit, shapeProblem } from "./refusals.ts";

export async function previewIndex(
  cluster: Cluster,
  { resource: name, request, file: { hash } }: SearchMigration,
  settings: ReindexSettings,
): Promise<Preview> {
  const indices = await readIndices(cluster, name);
  const look = `GET /${name}`;
  const taken = await namesBelow(cluster, name);
  const next = versionName(name, hash, nextVersion(name, taken));
  const file = definitionOf(request.body ?? "{}");
  const [live] = indices;
  if (live === undefined) {
    const note = `does not exist yet: made as '${next}', with '${name}' as its alias` +
      replicationNote(file);
    return { requests: [look, `PUT /${next}\n${request.body ?? ""}`], note };
  }
  const made = await expectedIndex(cluster, next, file);
  const found = indices.map((index) => differenceOf(file, made, index));
  const differences = found.flatMap(allOf);
  const [difference] = found as [IndexDifference];
  const way = expectedWay(difference);
  const refuse = async () => {
    await refuseNext(cluster, file, live);
    if (way !== "copy") return;
    await refuseOtherServers(cluster);
    await refuseUnfit(cluster, live, settings);
    await refuseNext(cluster, file, live, made);
  };
  const problem = differences.length === 0
    ? undefined
    : shapeProblem(name, indices, await seriesOf(cluster, live)) ?? await unfit(refuse);
  if (problem !== undefined) {
    return { requests: [look], note: `will be refused: ${problem}`, differences };
  }
  return {
    requests: [look, ...requestsOf(way, difference, live, next)],
    note: await noteOf(cluster, way, live, next, settings) +
      (way === "in place" ? unindexedNote(difference) : "") +
      (way === "copy" ? "" : leftNote(difference.left)) +
      (way === "copy" ? replicationNote(file) : ""),
    differences,
  };
}

function replicationNote({ settings }: IndexDefinition): string {
  return String(settings["index.replication.type"]).toUpperCase() === "SEGMENT"
    ? "; no later change can be copied: an index with 'replication.type: SEGMENT' is refused"
    : "";
}

async function unfit(refuse: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await refuse();
  } catch (error) {
    if (error instanceof CopyRefusedError) return error.message;
    throw error;
  }
}

function requestsOf(
  way: Way,
  { settings, additions, fields, aliases }: IndexDifference,
  { name: live }: LiveIndex,
  next: string,
): readonly string[] {
  if (way === "nothing") return [];
  if (way === "copy") {
    return [`PUT /${next}`, "POST /_reindex", `PUT /${live}/_block/write`, "POST /_aliases"];
  }
  return [
    ...additions.length + fields.length > 0 ? [`PUT /${live}/_mapping`] : [],
    ...settings.length > 0 ? [`PUT /${live}/_settings`] : [],
    ...aliases.length > 0 ? ["POST /_aliases"] : [],
  ];
}

async function noteOf(
  cluster: Cluster,
  way: Way,
  { name }: LiveIndex,
  next: string,
  { writePauseMs }: ReindexSettings,
): Promise<string> {
  if (way === "nothing") return "what the file names is so already: it will be recorded";
  if (way === "in place") {
    return `'${name}' will be changed in place, as far as the cluster takes it; else it is copied`;
  }
  const size = await sizeOf(cluster, name);
  // As it was measured: a part that does not depend on the size, and the numbers of documents where some are deleted.
  const about = (0.4 + size.documents / 2_000_000).toFixed(1);
  const pause = writePauseMs === "none"
    ? "its owner has blocked its writes"
    : `writers will wait about ${about} s, at most ${writePauseMs / 1000} s`;
  const what = `'${name}' (${describeSize(size)})`;
  return `${what} will be copied into '${next}' while it is used; ${pause}`;
}
