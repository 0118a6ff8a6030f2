import type { Cluster } from "../cluster/cluster.ts";
import type { Difference } from "../../runner/mod.ts";
import { changes, differences, isSame, merged } from "../json/compare.ts";
import { compared, type Comparison } from "./compared.ts";
import { INDICES, liveIndexState } from "../kinds/indices.ts";
import type { LiveResource } from "../kinds/resource.ts";
import { leftSettings } from "../reindex/definition.ts";
import { field, isObject, type Json, mapValues, objectOf } from "../json/json_values.ts";

/** No index has this name. Templates may match it, as `*` does: the priority decides between them. */
const NAME = ".irori-normal-form";

/**
 * Mappings in the form in which the cluster shows them: without defaults of their types, and with short forms spelled out.
 * Nothing is created. `undefined` where the cluster refuses them, or the right to ask is missing.
 */
export async function normalMappings(
  cluster: Cluster,
  settings: Json,
  mappings: unknown,
): Promise<Json | undefined> {
  const path = `/_index_template/_simulate_index/${NAME}`;
  const template = { settings, mappings };
  // No other template may have its priority.
  const body = { index_patterns: [NAME], priority: Number.MAX_SAFE_INTEGER, template };
  const request = { method: "POST", path, body: JSON.stringify(body) };
  const { status, json } = await cluster.ask(request);
  return status === 200 ? objectOf(field(field(json, "template"), "mappings")) : undefined;
}

/** What a file says in the cluster's form; `null` for what the cluster takes for a default, and so does not show. */
function inNormalForm(said: unknown, normal: unknown): unknown {
  if (!isObject(said) || !isObject(normal)) return normal ?? null;
  return mapValues(said, (part, name) => inNormalForm(part, field(normal, name)));
}

/**
 * As {@linkcode compared}; of an index, mappings are compared in the form in which the cluster shows them, and parameters
 * of fields and aliases that the file names, but the cluster alone has, are differences too.
 *
 * @param whole what this file and those after it say of the resource
 */
export async function comparedInNormalForm(
  cluster: Cluster,
  resource: LiveResource,
  wanted: unknown,
  live: unknown,
  whole: unknown = resource.wanted,
): Promise<Comparison> {
  const found = compared(resource, wanted, live);
  const isMapped = found.differences.some(({ path }) => path.startsWith("mappings"));
  const isExtended = resource.kind === INDICES &&
    extras(resource.wanted, whole, whole, live).length > 0;
  if (!resource.kind.isIndex || !(isMapped || isExtended)) return found;
  const settings = leftSettings({ settings: {} }, objectOf(field(live, "settings")));
  const normal = await normalMappings(cluster, settings, field(whole, "mappings"));
  if (normal === undefined) return found;
  const { mappings } = liveIndexState({ mappings: normal });
  const state = {
    ...objectOf(wanted),
    mappings: inNormalForm(field(wanted, "mappings"), mappings),
  };
  const said = compared(resource, state, live);
  const templates = isExtended ? await templatesOf(cluster, resource.path) : undefined;
  if (templates === undefined) return said;
  const named = merged(templates, objectOf(whole));
  const more = extras(resource.wanted, named, { ...named, mappings }, live);
  return { ...said, differences: [...said.differences, ...more] };
}

/** What the fields and aliases of a file have live that `said` does not name, unless it is `usual`. */
function extras(
  file: unknown,
  said: unknown,
  usual: unknown,
  live: unknown,
): readonly Difference[] {
  const own = (wanted: Json, usual: Json, has: Json, path: string) => {
    const unusual = differences(has, usual, path).map(({ path }) => path);
    return differences(has, wanted, path)
      .filter((one) => one.live === undefined && unusual.some((path) => path.startsWith(one.path)))
      .map(({ path, wanted }) => ({ path, wanted: undefined, live: wanted }));
  };
  const members = (name: string, path: string, ...[file, ...others]: readonly unknown[]) =>
    Object.entries(objectOf(field(file, name))).map(([key, member]) => {
      const found = others.map((one) => objectOf(field(field(one, name), key)));
      return { member, found: found as [Json, Json, Json], path: `${path}${name}.${key}` };
    });
  const fields = (path: string, ...trees: readonly unknown[]): readonly Difference[] =>
    members("properties", path, ...trees).flatMap(({ member, found, path }) => {
      const [wanted, usual, { properties: _, ...has }] = found;
      const object = { type: "object" };
      const parameters = own({ ...object, ...wanted }, { ...object, ...usual }, has, path);
      return [...parameters, ...fields(`${path}.`, member, ...found)];
    });
  const trees = [file, said, usual, live];
  return [
    ...fields("mappings.", ...trees.map((tree) => field(tree, "mappings"))),
    ...members("aliases", "", ...trees).flatMap(({ found, path }) => own(...found, path)),
  ];
}

/** What templates give an index; `undefined` where they are legacy ones, which the cluster does not resolve. */
async function templatesOf(cluster: Cluster, index: string): Promise<Json | undefined> {
  const simulate = async (path: string, body: string) => {
    const request = { method: "POST", path: `/_index_template/_simulate_index/${path}`, body };
    return (await cluster.ask(request)).json;
  };
  const own = field(await simulate(index.slice(1), ""), "template");
  if (own !== undefined) return liveIndexState(own);
  const patterns = [NAME, decodeURIComponent(index.slice(1))];
  const body = { index_patterns: patterns, priority: Number.MAX_SAFE_INTEGER, template: {} };
  const overlapping = field(await simulate(NAME, JSON.stringify(body)), "overlapping");
  return Array.isArray(overlapping) && overlapping.length === 0 ? {} : undefined;
}

/** Whether what is there is what a request would make of it, no less and, of a whole, no more. */
export async function isMade(
  cluster: Cluster,
  resource: LiveResource,
  live: unknown,
): Promise<boolean> {
  const { kind, effect, wanted } = resource;
  if (effect === "part") {
    const { differences } = await comparedInNormalForm(cluster, resource, wanted, live);
    return differences.length === 0;
  }
  return kind.shown === "exactly" ? changes(wanted, live).length === 0 : isSame(wanted, live);
}
