import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { merged } from "../../migrations/search/json/compare.ts";
import { member, membersOf } from "../../migrations/search/json/json.ts";
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
import { expectAnswer } from "./expect.ts";
import type { LiveIndex } from "./live_index.ts";

export interface IndexDefinition {
  readonly settings: Json;
  readonly aliases: Readonly<Record<string, Json>>;
  /** The members of its `mappings` as they stand in the file. */
  readonly mappings: readonly string[];
  readonly mappingNames: readonly string[];
  readonly others: readonly string[];
}

export function definitionOf(text: string): IndexDefinition {
  const body = valueOf(text);
  const members = membersOf(text, { offset: text.indexOf("{") });
  const mappings = member(members, "mappings");
  const inMappings = mappings?.kind === "object" ? membersOf(text, mappings) : [];
  return {
    settings: flatSettings(objectOf(field(body, "settings"))),
    aliases: mapValues(objectOf(field(body, "aliases")), objectOf) as IndexDefinition["aliases"],
    mappings: inMappings.map(({ source }) => source),
    mappingNames: inMappings.map(({ name }) => name),
    others: members.filter(({ name }) => !["settings", "mappings", "aliases"].includes(name))
      .map(({ source }) => source),
  };
}

/**
 * The body that makes the first index of a name: what the file says, and the name as its alias. Mappings stay byte for
 * byte as they are in the file.
 */
export function firstBody(
  { settings, mappings, aliases, others }: IndexDefinition,
  name: string,
): string {
  return bodyOf([
    ...others,
    written("settings", JSON.stringify(settings)),
    written("mappings", `{${mappings.join(",")}}`),
    written("aliases", JSON.stringify({ [name]: {}, ...aliases })),
  ]);
}

/**
 * The body that makes the index that follows another: what the file says and, of what it does not name, what the live
 * index has: manual settings, parameters of the mapping. Fields are added later, as they are a tree.
 */
export function nextBody(file: IndexDefinition, live: LiveIndex, aliases: Json): string {
  const left = Object.entries(live.mappings).filter(([name]) =>
    name !== "properties" && !file.mappingNames.includes(name)
  );
  const mappings = [
    ...file.mappings,
    ...left.map(([name, value]) => written(name, JSON.stringify(value))),
  ];
  const own = omit(file.settings, (_, value) => value === null);
  const settings = { ...leftSettings(file, live.settings), ...own };
  return bodyOf([
    ...file.others,
    written("settings", JSON.stringify(settings)),
    written("mappings", `{${mappings.join(",")}}`),
    written("aliases", JSON.stringify(aliases)),
  ]);
}

/** What an index has of its own, which no other can be given, and what says where its data came from or may be written. */
const OWN =
  /^index\.(?:uuid|creation_date.*|provided_name|version\..*|history\.uuid|resize\..*|routing\.allocation\.initial_recovery\..*|blocks\..*|verified_before_close|replication\.type|remote_store\..*|(?:plugins|opendistro)\.index_state_management\..*|lifecycle\..*)$|^index\.archived\./;

/** Settings of the live index that the file does not name, but for what is its own. */
export function leftSettings({ settings }: Pick<IndexDefinition, "settings">, live: Json): Json {
  const named = new Set(Object.keys(settings).map(componentOf));
  const hasShards = named.has("index.number_of_shards");
  return omit(live, (key) => {
    return OWN.test(key) || named.has(componentOf(key)) ||
      (hasShards && key === "index.number_of_routing_shards");
  });
}

/** An analyzer or a similarity counts as a whole, any other setting for itself. */
export function componentOf(key: string): string {
  return /^index\.(?:analysis\.[^.]+|similarity)\.[^.]+/.exec(key)?.[0] ?? key;
}

function written(name: string, value: string): string {
  return `${JSON.stringify(name)}:${value}`;
}

function bodyOf(members: readonly string[]): string {
  return `{${members.join(",")}}`;
}

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
