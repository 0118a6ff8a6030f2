import type { Migration, Preview } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { PIPELINES } from "../../migrations/search/kinds/named.ts";
import { isSearchMigration } from "../../migrations/search/offers.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
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
import { readIndices, versionName } from "../live_indices/live_index.ts";
import { describeSize, seriesOf, sizeOf } from "./live_index.ts";
import { nextVersion } from "./names.ts";
import { refuseNext, refuseOtherServers, refuseUnfit, shapeProblem } from "./refusals.ts";

export async function previewIndex(
  cluster: Cluster,
  { resource: name, request, file: { hash, path } }: SearchMigration,
  settings: ReindexSettings,
  earlier: readonly Migration[],
): Promise<Preview> {
  const indices = await readIndices(cluster, name);
  const look = `GET /${name}`;
  const next = versionName(name, hash, await nextVersion(cluster, name));
  const file = definitionOf(request.body ?? "{}");
  const [live] = indices;
  if (live === undefined) {
    const isOfSeries = /-\d{6}$/.test(name) &&
      Object.values(file.aliases).some((alias) => alias.is_write_index === true);
    const message = `Rollovers will be named after '${next}': make the first index of a series ` +
      `by a request file for 'PUT /${name}'`;
    return {
      requests: [look, `PUT /${next}\n${request.body ?? ""}`],
      note: `does not exist yet: made as '${next}', with '${name}' as its alias` +
        replicationNote(file),
      ...(isOfSeries && { findings: [{ severity: "warning", path, message }] as const }),
    };
  }
  const made = await expectedIndex(cluster, next, file);
  const found = indices.map((index) => differenceOf(file, made, index));
  const differences = found.flatMap(allOf);
  const way = expectedWay(found[0]!);
  const { pipeline, ...others } = settings;
  const isPending = earlier.filter(isSearchMigration)
    .some(({ request }) => resourceOf(request)?.key === `${PIPELINES.noun} ${pipeline}`);
  const refuse = async () => {
    try {
      await refuseNext(cluster, file, live);
      if (way !== "copy") return;
      await refuseOtherServers(cluster);
      await refuseUnfit(cluster, live, isPending ? others : settings);
      await refuseNext(cluster, file, live, made);
    } catch (error) {
      if (error instanceof CopyRefusedError) return error.message;
      throw error;
    }
  };
  const problem = differences.length === 0
    ? undefined
    : shapeProblem(name, indices, await seriesOf(cluster, live)) ?? await refuse();
  if (problem !== undefined) {
    // An earlier file may lift a block, or detach or change a policy.
    const [severity, verb] = earlier.some(({ kind }) => ["request", "policy"].includes(kind))
      ? ["warning", "May"] as const
      : ["error", "Will"] as const;
    const message = `${verb} be refused: ${problem}`;
    return { requests: [look], differences, findings: [{ severity, path, message }] };
  }
  const outlook = await outlookOf(cluster, way, found[0]!, live.name, next, settings);
  const note = way === "copy" ? outlook.note + replicationNote(file) : outlook.note;
  return { requests: [look, ...outlook.requests], note, differences };
}

function replicationNote({ settings }: IndexDefinition): string {
  return String(settings["index.replication.type"]).toUpperCase() === "SEGMENT"
    ? "; no later change can be copied: an index with 'replication.type: SEGMENT' is refused"
    : "";
}

async function outlookOf(
  cluster: Cluster,
  way: Way,
  { settings, additions, fields, aliases, unindexed, left }: IndexDifference,
  name: string,
  next: string,
  { writePauseMs }: ReindexSettings,
) {
  if (way !== "copy") {
    const what = way === "nothing"
      ? "what the file names is so already: it will be recorded"
      : `'${name}' will be changed in place, as far as the cluster takes it; else it is copied`;
    return {
      requests: [
        ...additions.length + fields.length > 0 ? [`PUT /${name}/_mapping`] : [],
        ...settings.length > 0 ? [`PUT /${name}/_settings`] : [],
        ...aliases.length > 0 ? ["POST /_aliases"] : [],
      ],
      note: what + unindexedNote(unindexed) + leftNote(left),
    };
  }
  const size = await sizeOf(cluster, name);
  // As it was measured: a part that does not depend on the size, and the numbers of documents where some are deleted.
  const about = (0.4 + size.documents / 2_000_000).toFixed(1);
  const pause = writePauseMs === "none"
    ? "its owner has blocked its writes"
    : `writers will wait about ${about} s on an idle cluster, at most ${writePauseMs / 1000} s`;
  return {
    requests: [`PUT /${next}`, "POST /_reindex", `PUT /${name}/_block/write`, "POST /_aliases"],
    note: `'${name}' (${
      describeSize(size)
    }) will be copied into '${next}' while it is used; ${pause}`,
  };
}
