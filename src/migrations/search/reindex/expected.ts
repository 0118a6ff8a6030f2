import type { Cluster } from "../cluster/cluster.ts";
import { field, isObject, type Json, objectOf, valueOf } from "../json/json_values.ts";
import { flatSettings } from "../kinds/settings.ts";
import type { IndexDefinition } from "./definition.ts";
import { expectAnswer } from "./expect.ts";
import type { LiveIndex } from "./live_index.ts";

/** What an index would be that is made from a file. */
export interface ExpectedIndex extends Pick<LiveIndex, "settings" | "mappings"> {
  /** Names of the aliases that templates give it. */
  readonly aliases: readonly string[];
}

/** What an index of this name would be, by the file and the templates that match the name. Nothing is made. */
export async function expectedIndex(
  cluster: Cluster,
  name: string,
  file: IndexDefinition,
): Promise<ExpectedIndex> {
  const path = `/_index_template/_simulate_index/${encodeURIComponent(name)}`;
  const { json } = await expectAnswer(cluster, { method: "POST", path });
  const template = objectOf(field(json, "template"));
  const said = objectOf(valueOf(`{${file.mappings.join(",")}}`));
  return {
    settings: { ...flatSettings(objectOf(template.settings)), ...file.settings },
    mappings: merged(objectOf(template.mappings), said),
    aliases: Object.keys(objectOf(template.aliases)),
  };
}

/** A mapping on top of that of a template: objects are merged, whatever else is replaced. */
function merged(under: Json, over: Json): Json {
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => {
    const [below, above] = [under[name], over[name]];
    return [name, isObject(below) && isObject(above) ? merged(below, above) : above ?? below];
  }));
}
