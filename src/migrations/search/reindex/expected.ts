import type { Cluster } from "../cluster/cluster.ts";
import { merged } from "../json/compare.ts";
import { field, objectOf, valueOf } from "../json/json_values.ts";
import { flatSettings } from "../kinds/indices.ts";
import { normalMappings } from "../kinds/simulate.ts";
import type { IndexDefinition } from "./definition.ts";
import { expectAnswer } from "./expect.ts";
import type { LiveIndex } from "./live_index.ts";

export interface ExpectedIndex extends Pick<LiveIndex, "settings" | "mappings"> {
  readonly aliases: readonly string[];
}

export async function expectedIndex(
  cluster: Cluster,
  name: string,
  file: IndexDefinition,
): Promise<ExpectedIndex> {
  const path = `/_index_template/_simulate_index/${encodeURIComponent(name)}`;
  const { json } = await expectAnswer(cluster, { method: "POST", path });
  const template = objectOf(field(json, "template"));
  const said = objectOf(valueOf(`{${file.mappings.join(",")}}`));
  const settings = { ...flatSettings(objectOf(template.settings)), ...file.settings };
  const mappings = merged(objectOf(template.mappings), said);
  return {
    settings,
    mappings: await normalMappings(cluster, settings, mappings) ?? mappings,
    aliases: Object.keys(objectOf(template.aliases)),
  };
}
