import type { Asking } from "../cluster/cluster.ts";
import { field, type Json, objectOf } from "../json/json_values.ts";
import { liveIndexForm } from "./indices.ts";

/** No index has this name. Templates may match it, as `*` does, but this one has the highest priority. */
const NAME = ".irori-normal-form";

async function simulate(cluster: Asking, name: string, template?: object, patterns = [NAME]) {
  const body = { index_patterns: patterns, priority: Number.MAX_SAFE_INTEGER, template };
  return await cluster.ask({
    method: "POST",
    path: `/_index_template/_simulate_index/${name}`,
    body: template === undefined ? "" : JSON.stringify(body),
  });
}

/** Mappings as the cluster shows them; `undefined` where it rejects them, or the right is missing. */
export async function normalMappings(
  cluster: Asking,
  settings: Json,
  mappings: unknown,
): Promise<Json | undefined> {
  const { status, json } = await simulate(cluster, NAME, { settings, mappings });
  return status === 200 ? objectOf(field(json, "template", "mappings")) : undefined;
}

/** The result of templates for an index, no alias; `undefined` for legacy templates, which the cluster does not resolve. */
export async function templatesOf(cluster: Asking, index: string): Promise<Json | undefined> {
  const own = field((await simulate(cluster, encodeURIComponent(index))).json, "template");
  if (own !== undefined) return liveIndexForm(own);
  const { json } = await simulate(cluster, NAME, {}, [NAME, index]);
  const overlapping = field(json, "overlapping");
  return Array.isArray(overlapping) && overlapping.length === 0 ? {} : undefined;
}
