import type { Asking } from "../cluster/cluster.ts";
import { field, type Json, objectOf, omit } from "../json/json_values.ts";

/** Settings that belong to one index alone: its identity, the origin of its data, blocks, its policy. */
const OWN =
  /^index\.(?:uuid|creation_date.*|provided_name|version\..*|history\.uuid|resize\..*|routing\.allocation\.initial_recovery\..*|blocks\..*|verified_before_close|replication\.type|remote_store\..*|(?:plugins|opendistro)\.index_state_management\..*|lifecycle\..*)$|^index\.archived\./;

/** Settings of the live index that the file does not name, but for what is its own. */
export function leftSettings({ settings }: { readonly settings: Json }, live: Json): Json {
  const named = new Set(Object.keys(settings).map(componentOf));
  const hasShards = named.has("index.number_of_shards");
  return omit(live, (key) =>
    OWN.test(key) || named.has(componentOf(key)) ||
    (hasShards && key === "index.number_of_routing_shards"));
}

/** An analyzer or a similarity counts as a whole, any other setting for itself. */
export function componentOf(key: string): string {
  return /^index\.(?:analysis\.[^.]+|similarity)\.[^.]+/.exec(key)?.[0] ?? key;
}

/** Which of the indices at a path were rolled over, and by which alias: none where that cannot be read. */
export async function rolloversOf(cluster: Asking, path: string) {
  const state = `/_cluster/state/metadata${path}?filter_path=metadata.indices.*.rollover_info`;
  const { json } = await cluster.ask({ method: "GET", path: state });
  return Object.entries(objectOf(field(json, "metadata", "indices"))).flatMap(([index, found]) =>
    Object.keys(objectOf(field(found, "rollover_info"))).map((alias) => ({ index, alias }))
  );
}
