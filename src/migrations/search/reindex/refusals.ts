import type { Cluster } from "../cluster.ts";
import { hasNoHandler } from "../answer.ts";
import { field, isObject, listOf, objectOf } from "../json_values.ts";
import type { ReindexSettings } from "../types.ts";
import { readPage } from "./documents.ts";
import { CopyRefusedError, expectAnswer } from "./expect.ts";
import { describeSize, type LiveIndex, sizeOf } from "./live_index.ts";
import { isVersionOf, versionNameProblem } from "./names.ts";
import { tryPipeline } from "./pipeline.ts";

/**
 * Why what stands behind a name cannot be brought to what its file says by making another index, as a sentence and a way
 * out; `undefined` where it is one index of its own.
 */
export function shapeProblem(name: string, indices: readonly LiveIndex[]): string | undefined {
  const names = indices.map((index) => index.name);
  const list = names.slice(0, 3).map((index) => `'${index}'`).join(", ") +
    (names.length > 3 ? ", …" : "");
  const rollover =
    `change its template, and start a new index with a file for 'POST /${name}/_rollover': ` +
    `'new ${name} --rollover -m search' writes one`;
  const [index = ""] = names;
  const isOther = index !== name && !isVersionOf(name, index);
  if (names.some((one) => one.startsWith(".ds-"))) {
    return `'${name}' is a data stream (${list}), whose indices are not changed: ${rollover}`;
  }
  if (names.length > 1 || (isOther && /-\d{6}$/.test(index))) {
    return `'${name}' is a series of indices (${list}), which are not changed: ${rollover}`;
  }
  if (isOther) {
    return `'${name}' is an alias of '${index}', which was not made for it by this file: name the file after the index, ` +
      `or clone it to '${name}-00000000-1' while its writes are blocked, and point the alias there`;
  }
  const problem = versionNameProblem(name);
  return problem && `Its copies would have names that cannot be: ${problem}`;
}

/** Documents that a pipeline is tried on. */
const TRIED = 20;

/** Actions of a policy that end or replace an index, or take its writes away. */
const UNSAFE_ACTIONS = ["delete", "rollover", "shrink", "close", "read_only"];

/**
 * What of a live index stands in the way of a copy; reads alone.
 *
 * @returns the policy that the new index is to be given
 * @throws {CopyRefusedError}
 */
export async function refuseUnfit(
  cluster: Cluster,
  live: LiveIndex,
  { writePauseMs: pause, pipeline }: ReindexSettings,
): Promise<string | undefined> {
  const { name, mappings, settings } = live;
  const source = objectOf(mappings._source);
  const refuse = (reason: string): never => {
    throw new CopyRefusedError(`The index '${name}' cannot be copied: ${reason}`);
  };
  if (source.enabled === false || String(source.enabled) === "false") {
    refuse(
      "its mapping has '_source' disabled, so its documents cannot be read: fill a new index from where they came",
    );
  }
  if (source.includes !== undefined || source.excludes !== undefined) {
    refuse(
      "its '_source' is filtered, so a part of its documents is not there: fill a new index from where they came",
    );
  }
  const isDerived = source.mode !== undefined ||
    String(settings["index.derived_source.enabled"]) === "true";
  if (isDerived) {
    refuse(
      "its '_source' is derived, and is not what was sent: fill a new index from where it came",
    );
  }
  if (String(settings["index.verified_before_close"]) === "true") {
    refuse(`it is closed: open it ('POST /${name}/_open')`);
  }
  for (const block of ["read_only", "read_only_allow_delete", "metadata", "read"]) {
    if (String(settings[`index.blocks.${block}`]) !== "true") continue;
    refuse(
      `it has the block '${block}': lift it ('PUT /${name}/_settings', '{ "index.blocks.${block}": null }')`,
    );
  }
  if (settings["index.replication.type"] === "SEGMENT") {
    refuse(
      "it has segment replication, whose copies may show what is not durable yet: use document replication",
    );
  }
  if (pause === "none" && !isWriteBlocked(live)) {
    refuse(
      `'write_pause' is 'none', and its writes go on: block them first ('PUT /${name}/_block/write'), or allow a pause`,
    );
  }
  if (typeof settings["index.lifecycle.name"] === "string") {
    refuse(
      `the policy '${settings["index.lifecycle.name"]}' (ILM) is at work on it: detach it first`,
    );
  }
  if (pipeline !== undefined) {
    const page = { shard: "0", after: -1, size: TRIED };
    await tryPipeline(cluster, pipeline, await readPage(cluster, name, page));
  }
  await refuseSmallDisk(cluster, live);
  return await policyOf(cluster, name);
}

/** Whether writes to an index are refused, whoever wants it so. */
export function isWriteBlocked({ settings }: Pick<LiveIndex, "settings">): boolean {
  return String(settings["index.blocks.write"]) === "true";
}

async function refuseSmallDisk(cluster: Cluster, { name, settings }: LiveIndex): Promise<void> {
  const path = "/_nodes/stats/fs?filter_path=nodes.*.roles,nodes.*.fs.total.available_in_bytes";
  const [{ json }, size] = [
    await expectAnswer(cluster, { method: "GET", path }),
    await sizeOf(cluster, name),
  ];
  const free = Object.values(objectOf(field(json, "nodes")))
    .filter((node) => listOf(field(node, "roles")).some((role) => String(role).startsWith("data")))
    .reduce(
      (sum: number, node) =>
        sum + Number(field(field(field(node, "fs"), "total"), "available_in_bytes") ?? 0),
      0,
    );
  const copies = 1 + Number(settings["index.number_of_replicas"] ?? 0);
  const needed = size.bytes * copies;
  if (free > needed || needed === 0) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new CopyRefusedError(
    `There is too little disk for a copy of '${name}' (${
      describeSize(size)
    }, ${copies} copies of each shard): it needs ` +
      `${gigabytes(needed)}, and the data nodes have ${gigabytes(free)} left: make room first`,
  );
}

/** @returns the name of the policy of index state management, where there is one that does no harm */
async function policyOf(cluster: Cluster, index: string): Promise<string | undefined> {
  const path = `/_plugins/_ism/explain/${encodeURIComponent(index)}`;
  const answer = await cluster.send({ method: "GET", path }, { repeatSafe: true });
  if (hasNoHandler(answer) || answer.status === 404) return undefined;
  const name = field(field(answer.json, index), "index.plugins.index_state_management.policy_id");
  if (typeof name !== "string") return undefined;
  const policyPath = `/_plugins/_ism/policies/${encodeURIComponent(name)}`;
  const { json } = await expectAnswer(cluster, { method: "GET", path: policyPath });
  const states = listOf(field(field(json, "policy"), "states"));
  const actions = states.flatMap((state) => listOf(field(state, "actions")))
    .flatMap((action) => isObject(action) ? Object.keys(action) : []);
  const [unsafe] = actions.filter((action) => UNSAFE_ACTIONS.includes(action));
  if (unsafe === undefined) return name;
  throw new CopyRefusedError(
    `The index '${index}' cannot be copied: the policy '${name}' is at work on it, and may ${unsafe} it meanwhile: ` +
      `detach it first ('POST /_plugins/_ism/remove/${index}')`,
  );
}

/** @throws {CopyRefusedError} where the server is one that this was not made for */
export async function refuseOtherServers(cluster: Cluster): Promise<void> {
  const { json } = await expectAnswer(cluster, { method: "GET", path: "/" });
  const version = field(json, "version");
  if (field(version, "distribution") === "opensearch") return;
  throw new CopyRefusedError(
    `A live index is copied on OpenSearch alone, and this is version ${
      field(version, "number")
    } of something else: ` +
      "leave 'migrations.index_changes' at 'keep'",
  );
}
