import type { Difference } from "../../migrations/runner/mod.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import {
  field,
  isEmpty,
  isObject,
  type Json,
  objectOf,
  omit,
} from "../../migrations/search/json/json_values.ts";
import { indexForm, liveIndexForm } from "../../migrations/search/kinds/indices.ts";
import { componentOf, leftSettings } from "../../migrations/search/compare/live_settings.ts";
import type { IndexDefinition } from "./definition.ts";
import type { LiveIndex } from "../live_indices/live_index.ts";

export interface IndexDifference extends Readonly<Omit<MappingDifference, "compare">> {
  readonly settings: readonly Difference[];
  readonly aliases: readonly Difference[];
}

export type Way = "nothing" | "in place" | "copy";

export function differenceOf(
  file: IndexDefinition,
  made: Pick<LiveIndex, "settings" | "mappings">,
  live: Pick<LiveIndex, "settings" | "mappings" | "aliases">,
): IndexDifference {
  const mappings = new MappingDifference();
  mappings.compare(mappingsOf(made), mappingsOf(live), "mappings", OPEN);
  return {
    ...mappings,
    settings: settingsDifference(file, made.settings, live.settings),
    aliases: aliasesDifference(file, live.aliases),
    left: [
      ...Object.entries(leftSettings(file, live.settings)).filter((one) => !isAlwaysThere(one))
        .map(([key]) => key),
      ...mappings.left,
    ],
  };
}

/** Whether every index has it: Elasticsearch gives each a tier. */
function isAlwaysThere([key, value]: readonly [key: string, value: unknown]): boolean {
  return key === "index.number_of_shards" || key === "index.number_of_replicas" ||
    (key === "index.routing.allocation.include._tier_preference" && value === "data_content");
}

export function allOf(difference: IndexDifference): readonly Difference[] {
  const { settings, additions, fields, removals, aliases } = difference;
  return [...settings, ...additions, ...fields, ...removals, ...aliases];
}

export function unindexedNote(unindexed: readonly string[]): string {
  if (unindexed.length === 0) return "";
  return `; documents that are there are found by ${unindexed.slice(0, 3).join(", ")} ` +
    "once they are written again, as by 'POST /…/_update_by_query'";
}

export function expectedWay(difference: IndexDifference): Way {
  if (allOf(difference).length === 0) return "nothing";
  const { settings, fields, removals } = difference;
  return settings.some(({ path }) => STATIC.test(path)) ||
      !fields.every(({ path }) => UPDATABLE.test(path)) || removals.length > 0
    ? "copy"
    : "in place";
}

const STATIC =
  /^settings\.index\.(?:number_of_(?:routing_)?shards|routing_partition_size|codec|sort\.|analysis\.|similarity\.|store\.|shard\.check_on_startup|load_fixed_bitset_filters_eagerly|soft_deletes\.|knn$|replication\.|derived_source\.)/;

/** Parameters that can be changed without an effect on how existing documents were indexed. */
const UPDATABLE =
  /\.(?:search_analyzer|search_quote_analyzer|boost|meta|_meta|eager_global_ordinals|fielddata|fielddata_frequency_filter|dynamic|dynamic_templates|date_detection|numeric_detection|dynamic_date_formats)$/;

function mappingsOf({ mappings }: Pick<LiveIndex, "mappings">): Json {
  return objectOf(field(liveIndexForm({ mappings }), "mappings"));
}

function settingsDifference(file: IndexDefinition, made: Json, live: Json): readonly Difference[] {
  const named = new Set(Object.keys(file.settings).map(componentOf));
  const keys = new Set([...Object.keys(made), ...Object.keys(live), ...Object.keys(file.settings)]);
  return [...keys].filter((key) => named.has(componentOf(key))).flatMap((key) => {
    const [said, wanted, has] = [file.settings[key], made[key], live[key]];
    // Clusters write a number in another form than it was sent in: `0.0` for `0.00`.
    const isNumber = typeof said === "number" && isSame(said, wanted) && isSame(said, has);
    return isNumber || isSame(wanted, has) ? [] : [{ path: `settings.${key}`, wanted, live: has }];
  });
}

function aliasesDifference(
  file: Pick<IndexDefinition, "aliases">,
  live: LiveIndex["aliases"],
): readonly Difference[] {
  const wanted = objectOf(field(indexForm({ aliases: file.aliases }), "aliases"));
  const has = objectOf(field(indexForm({ aliases: live }), "aliases"));
  return Object.entries(wanted).flatMap(([name, alias]) =>
    Object.hasOwn(has, name) && isSame(alias, has[name])
      ? []
      : [{ path: `aliases.${name}`, wanted: alias, live: has[name] }]
  );
}

class MappingDifference {
  readonly additions: Difference[] = [];
  readonly unindexed: string[] = [];
  readonly fields: Difference[] = [];
  readonly removals: Difference[] = [];
  /** Paths that the live index has and the file does not name: they stay. */
  readonly left: string[] = [];

  /** @returns the fields that are left, within what is wanted around them */
  compare(wanted: Json, live: Json, path: string, dynamic: Dynamic): Json | undefined {
    const { properties, fields, ...parameters } = wanted;
    const { properties: hasProperties, fields: hasFields, ...has } = live;
    const isRoot = path === "mappings";
    for (const name of new Set([...Object.keys(parameters), ...Object.keys(has)])) {
      if (isSame(parameters[name], has[name])) continue;
      const difference = { path: `${path}.${name}`, wanted: parameters[name], live: has[name] };
      // The index keeps the root parameters that the file does not name.
      if (isRoot && parameters[name] === undefined) this.left.push(difference.path);
      else this.fields.push(difference);
    }
    const within = {
      wanted: String(parameters.dynamic ?? dynamic.wanted),
      live: String(has.dynamic ?? dynamic.live),
    };
    // Below a field stands what is indexed in one more way: every document has it.
    const always = { wanted: "true", live: "false" };
    const left = omit({
      properties: this.#children(objectOf(properties), objectOf(hasProperties), path, within),
      fields: this.#children(objectOf(fields), objectOf(hasFields), path, always),
    }, (fields) => isEmpty(fields));
    return isEmpty(left) ? undefined : { ...parameters, ...left };
  }

  #children(wanted: Json, live: Json, path: string, dynamic: Dynamic): Json {
    const left: Record<string, unknown> = {};
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(live)])) {
      const [own, has] = [field(wanted, name), field(live, name)];
      const below = `${path}.${name}`;
      if (own === undefined) {
        // A dynamic mapping made it.
        if (["strict", "false"].includes(dynamic.wanted)) {
          this.removals.push({ path: below, wanted: undefined, live: has });
        } else {
          this.left.push(below);
          left[name] = has;
        }
      } else if (has === undefined) {
        this.additions.push({ path: below, wanted: own, live: undefined });
        // Where fields are made that are not named, a document that had it would have made it.
        if (dynamic.live === "false") this.unindexed.push(below);
      } else if (isObject(own) && isObject(has)) {
        const within = this.compare(own, has, below, dynamic);
        if (within) left[name] = within;
      }
    }
    return left;
  }
}

/** The value of `dynamic` decides how an index treats fields that it does not name: `true`, `false`, `strict`. */
interface Dynamic {
  readonly wanted: string;
  readonly live: string;
}

const OPEN: Dynamic = { wanted: "true", live: "true" };

/**
 * The fields of the live index that a new one does not have, as the body of `PUT _mapping`; `undefined` where there are
 * none. Below `dynamic: strict` and `false` what the file does not name is removed.
 */
export function leftFields(made: Json, live: Json): Json | undefined {
  return new MappingDifference().compare(made, live, "mappings", OPEN);
}
