import type { Difference } from "../../runner/mod.ts";
import type { Asking } from "../cluster/cluster.ts";
import { additions, changes, differences, isSame, mergeDeep } from "../json/compare.ts";
import {
  field,
  isEmpty,
  isObject,
  type Json,
  mapValues,
  objectOf,
  omit,
} from "../json/json_values.ts";
import { INDICES, liveIndexForm, MAPPINGS } from "../kinds/indices.ts";
import type { LiveResource } from "../kinds/resource.ts";
import { normalMappings, templatesOf } from "../kinds/simulate.ts";
import { leftSettings, rolloversOf } from "./live_settings.ts";

export interface Comparison {
  /** Wanted and not live; where clusters add nothing, also live and not wanted. */
  readonly differences: readonly Difference[];
  /** Live beyond what is wanted: clusters add to some kinds. `wanted` is `undefined`, or a shorter list. */
  readonly beyond: readonly Difference[];
}

/**
 * Compares what a file wants of a resource with the live one. Mappings of an index are compared in the form in which the
 * cluster shows them. Parameters of fields and aliases that the file names, but only the cluster has, are differences too.
 * Aliases that an index was rolled over by are not compared.
 */
export class LiveComparison {
  constructor(private readonly cluster: Asking, private readonly resource: LiveResource) {}

  async isApplied(live: unknown): Promise<boolean> {
    const { kind, effect, wanted } = this.resource;
    if (effect === "part") return (await this.with(wanted, live)).differences.length === 0;
    return kind.shown === "exactly" ? changes(wanted, live).length === 0 : isSame(wanted, live);
  }

  /** @param whole what this file and those after it want of the resource */
  async with(wanted: unknown, live: unknown, whole = this.resource.wanted): Promise<Comparison> {
    const { kind, path } = this.resource;
    if (kind !== INDICES) return await this.#inForms(wanted, live, whole);
    const state = withNames({ aliases: {}, ...objectOf(live) });
    const compared = await this.#inForms(withNames(wanted), state, whole);
    const isOfAlias = ({ path }: Difference, alias = "") =>
      `${path}.`.startsWith(`aliases.${alias}`);
    if (!compared.differences.some((one) => isOfAlias(one))) return compared;
    const rolled = (await rolloversOf(this.cluster, path)).map(({ alias }) => alias);
    const differences = compared.differences.filter((one) =>
      !rolled.some((alias) => isOfAlias(one, `${alias}.`))
    );
    return { ...compared, differences };
  }

  async #inForms(wanted: unknown, live: unknown, whole: unknown): Promise<Comparison> {
    const { cluster, resource } = this;
    const asWritten = compare(resource, wanted, live);
    const isIndex = resource.kind === INDICES;
    const isMapped = (isIndex || resource.kind === MAPPINGS) &&
      asWritten.differences.some(({ path }) => path.startsWith("mappings"));
    const liveMembers = isIndex ? namedPart(resource.wanted, live) : {};
    const hasMore = unnamed(liveMembers, whole, whole).length > 0;
    if (!isMapped && !hasMore) return asWritten;
    const settings = leftSettings({ settings: {} }, objectOf(field(live, "settings")));
    const simulated = await normalMappings(cluster, settings, field(whole, "mappings"));
    if (simulated === undefined) return asWritten;
    const normal = liveIndexForm({ mappings: simulated });
    const shown = field(isIndex ? withNames(normal) : normal, "mappings");
    const mappings = inNormalForm(field(wanted, "mappings"), shown);
    const compared = compare(resource, { ...objectOf(wanted), mappings }, live);
    if (!hasMore) return compared;
    const more = await this.#beyondTemplates(
      liveMembers,
      whole,
      normal,
      String(field(live, "index")),
    );
    return { ...compared, differences: [...compared.differences, ...more] };
  }

  /** Live members that neither the files name nor a template gives; none where templates cannot be read. */
  async #beyondTemplates(liveMembers: Json, whole: unknown, { mappings }: Json, index: string) {
    const templates = await templatesOf(this.cluster, index);
    if (templates === undefined) return [];
    const all = mergeDeep(templates, objectOf(whole));
    return unnamed(liveMembers, all, { ...all, mappings });
  }
}

/** With dynamic templates by name: an index has those of its templates too. */
function withNames(state: unknown): unknown {
  const list = field(state, "mappings", "dynamic_templates");
  if (!Array.isArray(list)) return state;
  const named = Object.fromEntries(list.flatMap((one) => Object.entries(objectOf(one))));
  return mergeDeep(objectOf(state), { mappings: { dynamic_templates: named } });
}

function compare({ kind, effect }: LiveResource, wanted: unknown, live: unknown): Comparison {
  if (kind.shown === "exactly") return { differences: changes(wanted, live), beyond: [] };
  const missing = differences(wanted, live);
  // Files define a part of an index, and the cluster adds a lot.
  if (effect !== "whole") return { differences: missing, beyond: [] };
  const paths = new Set(missing.map(({ path }) => path));
  const { shown, stays } = kind;
  const isOpen = ({ path }: Difference) => path === stays?.name;
  const unusual = additions(wanted, live)
    .filter((more) => !paths.has(more.path) && (!isOpen(more) || more.live !== stays?.usual));
  if (shown !== "completely") return { differences: missing, beyond: unusual };
  return {
    differences: [...missing, ...unusual.filter((more) => !isOpen(more))],
    beyond: unusual.filter(isOpen),
  };
}

/** A value of a file in the cluster's form; `null` for a default, which the cluster does not show. */
function inNormalForm(wanted: unknown, normal: unknown): unknown {
  if (!isObject(wanted) || !isObject(normal)) return normal ?? null;
  return mapValues(wanted, (part, name) => inNormalForm(part, field(normal, name)));
}

function namedPart(file: unknown, live: unknown): Json {
  const aliases = objectOf(field(file, "aliases"));
  const parts = {
    mappings: namedFields(field(file, "mappings"), field(live, "mappings")),
    aliases: omit(objectOf(field(live, "aliases")), (_, name) => !Object.hasOwn(aliases, name)),
  };
  return omit(parts, (part) => isEmpty(part));
}

function namedFields(file: unknown, live: unknown): Json {
  const fields = objectOf(field(file, "properties"));
  const named = omit(objectOf(field(live, "properties")), (_, key) => !Object.hasOwn(fields, key));
  const properties = mapValues(named, (has, name) => {
    return {
      ...omit(objectOf(has), (_, key) => key === "properties"),
      ...namedFields(fields[name], has),
    };
  });
  return isEmpty(properties) ? {} : { properties };
}

/** The members of a live part that `wanted` does not name, except `usual` ones. */
function unnamed(live: Json, wanted: unknown, usual: unknown): readonly Difference[] {
  const unusual = additions(liveIndexForm(usual), live).map(({ path }) => path);
  return additions(liveIndexForm(wanted), live)
    .filter((one) => one.wanted === undefined && unusual.some((path) => path.startsWith(one.path)));
}
