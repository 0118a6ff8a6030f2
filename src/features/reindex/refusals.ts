import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import {
  type Answer,
  describeFailure,
  hasNoHandler,
} from "../../migrations/search/cluster/answer.ts";
import { field, type Json, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { ISM, POLICIES } from "../../migrations/search/kinds/policies.ts";
import { actionsOf } from "../../migrations/search/kinds/policy_actions.ts";
import type { ReindexSettings } from "./settings.ts";
import type { IndexDefinition } from "./definition.ts";
import { IndexDocuments } from "./documents.ts";
import { expectAnswer } from "../live_indices/expect.ts";
import { CopyRefusedError } from "./expect.ts";
import { isVersionOf, type LiveIndex, readIndices } from "../live_indices/live_index.ts";
import { describeSize, sizeOf } from "./live_index.ts";
import { versionNameProblem } from "./names.ts";
import { tryPipeline } from "./pipeline.ts";

/**
 * Why what stands behind a name cannot be brought to what its file says by making another index, as a sentence and a way
 * out; `undefined` where it is one index of its own.
 *
 * @param rolled what {@linkcode seriesOf} gives for it
 */
export function shapeProblem(
  name: string,
  indices: readonly LiveIndex[],
  rolled: readonly string[] = [],
): string | undefined {
  const names = indices.map((index) => index.name);
  const list = names.slice(0, 3).map((index) => `'${index}'`).join(", ") +
    (names.length > 3 ? ", …" : "");
  const rolledOver = (alias: string) =>
    `change its template with 'migrations.template_changes: rollover', or start a new index with a file for 'POST /${alias}/_rollover': ` +
    `'new ${alias} --rollover -m search' writes one; reindex an older index into '${alias}' ("op_type": "create"), then delete it`;
  const series = name.replace(/-\d{6}$/, "");
  const flagged = indices.flatMap(({ aliases }) =>
    Object.keys(aliases).filter((alias) => aliases[alias]?.is_write_index !== undefined)
  );
  const written = [...rolled, ...flagged];
  // The alias that a rollover moves, whatever the file is called.
  const alias = [name, series].find((one) => written.includes(one)) ?? written[0] ?? series;
  const rollover = rolledOver(alias);
  const [index = ""] = names;
  const isOther = index !== name && !isVersionOf(name, index);
  if (names.some((one) => one.startsWith(".ds-"))) {
    return `'${name}' is a data stream (${list}), whose indices are not changed: ${
      rolledOver(name)
    }`;
  }
  if (names.length > 1 || (isOther && /-\d{6}$/.test(index))) {
    return `'${name}' is a series of indices (${list}), which are not changed: ${rollover}`;
  }
  if (isOther) {
    return `'${name}' is an alias of '${index}', which was not made for it by this file: name the file after the index, ` +
      `or clone it to '${name}-00000000-1' while its writes are blocked, and point the alias there`;
  }
  const isMember = rolled.length > 0 || series !== name &&
      (flagged.length > 0 || indices.some(({ aliases }) => Object.hasOwn(aliases, series)));
  if (isMember) return `'${name}' is of a series of indices, which are not changed: ${rollover}`;
  const problem = versionNameProblem(name);
  return problem && `Its copies would have names that cannot be: ${problem}`;
}

const TRIED = 20;

const BLOCKS = ["read_only", "read_only_allow_delete", "metadata", "read"];

/** Refuses to copy a live index that is unfit for it; writes nothing. @returns its policy @throws {CopyRefusedError} */
export async function refuseUnfit(
  cluster: Cluster,
  live: LiveIndex,
  settings: ReindexSettings,
): Promise<string | undefined> {
  const problem = problemOf(live, settings);
  if (problem) throw new CopyRefusedError(`The index '${live.name}' cannot be copied: ${problem}`);
  if (settings.pipeline !== undefined) {
    const documents = new IndexDocuments(cluster, live.name);
    const page = await documents.page({ shard: "0", after: -1, size: TRIED });
    await tryPipeline(cluster, settings.pipeline, page);
  }
  await refuseSmallDisk(cluster, live);
  return await policyOf(cluster, live.name);
}

function problemOf(live: LiveIndex, { writePauseMs }: ReindexSettings): string | undefined {
  const { name, mappings, settings } = live;
  const is = (setting: string) => String(settings[`index.${setting}`]) === "true";
  const block = BLOCKS.find((block) => is(`blocks.${block}`));
  const policy = settings["index.lifecycle.name"];
  const isDerived = objectOf(mappings._source).mode !== undefined || is("derived_source.enabled");
  const problems = [
    sourceProblem(mappings),
    isDerived &&
    "its '_source' is derived and differs from what was sent: fill a new index from the original data",
    is("verified_before_close") && `it is closed: open it ('POST /${name}/_open')`,
    block &&
    `it has the block '${block}': lift it ('PUT /${name}/_settings', '{ "index.blocks.${block}": null }')`,
    settings["index.replication.type"] === "SEGMENT" &&
    "it uses segment replication, whose replicas can return writes that a failover still loses: fill a new index with document replication",
    writePauseMs === "none" && !isWriteBlocked(live) &&
    `'write_pause' is 'none', and the index still accepts writes: block them first ('PUT /${name}/_block/write'), or allow a pause`,
    typeof policy === "string" &&
    `the ILM policy '${policy}' manages it: detach the policy first`,
  ];
  return problems.find((problem) => problem !== undefined && problem !== false) || undefined;
}

/** A mapping can make documents unreadable, and so prevent a copy from this index or into it. */
function sourceProblem(mappings: Json): string | undefined {
  const source = objectOf(mappings._source);
  const from = "fill a new index from the original data";
  if (String(source.enabled) === "false") {
    return `its mapping has '_source' disabled, so documents cannot be read: ${from}`;
  }
  if (source.includes !== undefined || source.excludes !== undefined) {
    return `its '_source' is filtered, so a part of its documents is missing: ${from}`;
  }
}

/** Refuses a file that prevents the change, and a next index that prevents the copy. @throws {CopyRefusedError} */
export async function refuseNext(
  cluster: Cluster,
  { aliases }: Pick<IndexDefinition, "aliases">,
  live: LiveIndex,
  next?: Pick<LiveIndex, "mappings">,
): Promise<void> {
  const source = next && sourceProblem(next.mappings);
  if (source !== undefined) {
    throw new CopyRefusedError(`The new index cannot hold a copy: ${source}`);
  }
  for (const [alias, how] of Object.entries(aliases)) {
    const indices = (await readIndices(cluster, alias)).filter(({ name }) => name !== live.name);
    if (indices.some(({ name }) => name === alias)) {
      throw new CopyRefusedError(
        `The file defines the alias '${alias}', but an index has that name`,
      );
    }
    const writer = indices.find((index) => index.aliases[alias]?.is_write_index === true);
    if (how.is_write_index === true && writer) {
      throw new CopyRefusedError(
        `The file makes its index the write index of the alias '${alias}', which already has the write index '${writer.name}'`,
      );
    }
    if (how.filter === undefined || !next) continue;
    const path = `/${encodeURIComponent(live.name)}/_validate/query?explain=true`;
    const body = JSON.stringify({ query: how.filter });
    const answer = await cluster.send({ method: "POST", path, body }, { repeatSafe: true });
    if (answer.status === 200 && field(answer.json, "valid") === true) continue;
    const reason = field(listOf(field(answer.json, "explanations"))[0], "error") ??
      describeFailure(answer);
    throw new CopyRefusedError(`The filter of the alias '${alias}' is invalid: ${reason}`);
  }
}

export function isWriteBlocked({ settings }: Pick<LiveIndex, "settings">): boolean {
  return String(settings["index.blocks.write"]) === "true";
}

async function refuseSmallDisk(cluster: Cluster, { name, settings }: LiveIndex): Promise<void> {
  const path = "/_nodes/stats/fs?filter_path=nodes.*.roles,nodes.*.fs.total.available_in_bytes";
  const { json } = await expectAnswer(cluster, { method: "GET", path });
  const size = await sizeOf(cluster, name);
  const free = Object.values(objectOf(field(json, "nodes")))
    .filter((node) => listOf(field(node, "roles")).some((role) => String(role).startsWith("data")))
    .reduce(
      (sum: number, node) => sum + Number(field(node, "fs", "total", "available_in_bytes") ?? 0),
      0,
    );
  const copies = 1 + Number(settings["index.number_of_replicas"] ?? 0);
  const needed = size.bytes * copies;
  if (free > needed || needed === 0) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new CopyRefusedError(
    `There is no disk space for a copy of '${name}' (${
      describeSize(size)
    }, ${copies} copies of each shard): it needs ` +
      `${gigabytes(needed)}, and the data nodes have ${gigabytes(free)} left: free some space`,
  );
}

async function policyOf(cluster: Cluster, index: string): Promise<string | undefined> {
  const path = `${ISM}/explain/${encodeURIComponent(index)}`;
  const isNone = (answer: Answer) => hasNoHandler(answer) || answer.status === 404;
  const explained = await expectAnswer(cluster, { method: "GET", path }, isNone);
  const name = field(explained.json, index, "index.plugins.index_state_management.policy_id");
  if (typeof name !== "string") return undefined;
  const policyPath = POLICIES.path(encodeURIComponent(name));
  const { json } = await expectAnswer(cluster, { method: "GET", path: policyPath });
  const unsafe = listOf(field(json, "policy", "states")).flatMap(actionsOf)
    .find(({ effect }) => !["kept", "unknown"].includes(effect));
  if (unsafe === undefined) return name;
  throw new CopyRefusedError(
    `The index '${index}' cannot be copied: the policy '${name}' manages it and may run '${unsafe.name}' during the copy: ` +
      `detach the policy first ('POST /_plugins/_ism/remove/${index}')`,
  );
}

/** @throws {CopyRefusedError} where the server is one that this was not made for */
export async function refuseOtherServers(cluster: Cluster): Promise<void> {
  const { json } = await expectAnswer(cluster, { method: "GET", path: "/" });
  const version = field(json, "version");
  if (field(version, "distribution") === "opensearch") return;
  throw new CopyRefusedError(
    `Live reindex requires OpenSearch, but the cluster is another product, version ${
      field(version, "number")
    }: set 'migrations.index_changes' to 'keep'`,
  );
}
