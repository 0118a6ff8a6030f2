import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { mergeDeep } from "../../migrations/search/json/compare.ts";
import { type JsonMember, jsonOf, member, objectText } from "../../migrations/search/json/json.ts";
import {
  field,
  type Json,
  mapValues,
  objectOf,
  omit,
  valueOf,
} from "../../migrations/search/json/json_values.ts";
import { flatSettings } from "../../migrations/search/kinds/indices.ts";
import { normalMappings } from "../../migrations/search/kinds/simulate.ts";
import { leftSettings } from "../../migrations/search/compare/live_settings.ts";
import { expectAnswer } from "../live_indices/expect.ts";
import type { LiveIndex } from "../live_indices/live_index.ts";

export interface IndexDefinition {
  readonly settings: Json;
  readonly aliases: Readonly<Record<string, Json>>;
  /** The members of its `mappings` as they stand in the file. */
  readonly mappings: readonly Pick<JsonMember, "name" | "source">[];
  readonly others: readonly Pick<JsonMember, "source">[];
}

export function definitionOf(text: string): IndexDefinition {
  const body = valueOf(text);
  const { members } = jsonOf(text);
  const mappings = member(members, "mappings");
  return {
    settings: flatSettings(objectOf(field(body, "settings"))),
    aliases: mapValues(objectOf(field(body, "aliases")), objectOf) as IndexDefinition["aliases"],
    mappings: mappings?.kind === "object" ? mappings.members : [],
    others: members.filter(({ name }) => !["settings", "mappings", "aliases"].includes(name)),
  };
}

/** The body that makes the first index of a name: what the file says, and the name as its alias. */
export function firstBody(file: IndexDefinition, name: string): string {
  return bodyOf(file, file.settings, [], { [name]: {}, ...file.aliases });
}

/**
 * The body that makes the index that follows another: what the file says and, of what it does not name, what the live
 * index has: manual settings, parameters of the mapping. Fields are added later, as they are a tree.
 */
export function nextBody(file: IndexDefinition, live: LiveIndex, aliases: Json): string {
  const left = Object.entries(live.mappings)
    .filter(([key]) => key !== "properties" && !file.mappings.some(({ name }) => name === key))
    .map(([key, value]) => memberOf(key, value));
  const own = omit(file.settings, (value) => value === null);
  return bodyOf(file, { ...leftSettings(file, live.settings), ...own }, left, aliases);
}

/** Mappings stay byte for byte as they are in the file. */
function bodyOf(
  { mappings, others }: IndexDefinition,
  settings: Json,
  left: IndexDefinition["others"],
  aliases: Json,
): string {
  return objectText([
    ...others,
    memberOf("settings", settings),
    { source: `"mappings":${objectText([...mappings, ...left])}` },
    memberOf("aliases", aliases),
  ]);
}

function memberOf(name: string, value: unknown) {
  return { source: `${JSON.stringify(name)}:${JSON.stringify(value)}` };
}

export async function expectedIndex(cluster: Cluster, name: string, file: IndexDefinition) {
  const path = `/_index_template/_simulate_index/${encodeURIComponent(name)}`;
  const { json } = await expectAnswer(cluster, { method: "POST", path });
  const template = objectOf(field(json, "template"));
  const said = objectOf(valueOf(objectText(file.mappings)));
  const settings = { ...flatSettings(objectOf(template.settings)), ...file.settings };
  const mappings = mergeDeep(objectOf(template.mappings), said);
  return {
    settings,
    mappings: await normalMappings(cluster, settings, mappings) ?? mappings,
    aliases: Object.keys(objectOf(template.aliases)),
  };
}
