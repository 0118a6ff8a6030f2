import { UsageError } from "../../cli/mod.ts";
import { listed, quoted } from "../../text/mod.ts";
import { field, isObject, omit } from "../../migrations/search/json/json_values.ts";
import { type Fields, object, readFields, required, TEXT } from "./fields.ts";
import type { Manifest } from "./manifests.ts";
import type { ResourceKind } from "./resources.ts";

export type Resource = NonNullable<ReturnType<typeof readResource>>;

const COMMON: Fields = { opensearchCluster: required(object({ name: required(TEXT) })) };

/** Reads a manifest by its kind, and reports problems to its place. @returns `undefined` without a name or a `spec` */
export function readResource(manifest: Manifest, kind: ResourceKind) {
  const { apiVersion, content, place } = manifest;
  if (!API_VERSIONS.includes(apiVersion)) {
    const expected = `Expected one of ${quoted(API_VERSIONS)}`;
    return void place.at("apiVersion").refuse(`${expected}, found '${apiVersion}'`);
  }
  if (manifest.name === "") {
    return void place.at("metadata").at("name").refuse("Expected a string, found nothing");
  }
  for (const name of Object.keys(content)) {
    if (KNOWN.includes(name)) continue;
    place.at(name).warn(`Unknown field '${name}' is left out: expected 'spec'`);
  }
  const { spec } = content;
  if (!isObject(spec)) return void place.at("spec").refuse("Expected an object 'spec'");
  const beside: Fields = { ...COMMON, ...(kind.name && { [kind.name]: TEXT }), ...kind.aside };
  const below = place.at("spec");
  const own = omit(spec, (_, name) => Object.hasOwn(beside, name));
  const aside = readFields(omit(spec, (_, name) => Object.hasOwn(own, name)), beside, below) ?? {};
  const body = readFields(own, kind.fields, below) ?? {};
  warnOfStatus(manifest);
  if (field(content.metadata, "deletionTimestamp") != null) {
    place.at("metadata").at("deletionTimestamp").warn(
      "The resource is being deleted, and its file creates it again: remove the file unless that is intended",
    );
  }
  const named = kind.name === undefined ? undefined : spec[kind.name];
  return {
    manifest,
    kind,
    name: typeof named === "string" && named !== "" ? named : manifest.name,
    body: kind.finish?.(body, below) ?? body,
    aside,
  };
}

/** The operator does not change what existed before it, so the cluster differs from the resource. */
function warnOfStatus({ content, place }: Manifest): void {
  const state = field(content.status, "state");
  if (state !== "IGNORED" && state !== "ERROR") return;
  place.at("status").at("state").warn(
    state === "IGNORED"
      ? "The operator has never applied the resource, because the cluster already had one of its name: compare with 'plan'"
      : "The operator could not apply the resource: compare with 'plan'",
  );
}

/** The operator has moved from the first group to the second. */
const API_VERSIONS = ["opensearch.opster.io/v1", "opensearch.org/v1"];

const KNOWN = ["apiVersion", "kind", "metadata", "spec", "status"];

export function ofOneCluster(
  resources: readonly Resource[],
  wanted: string | undefined,
): readonly Resource[] {
  const of = clustersOf(resources);
  const all = [...new Set(of.values())];
  const chosen = wanted === undefined
    ? all
    : all.filter((name) => name === wanted || name.endsWith(`/${wanted}`));
  if (chosen.length === 1 || resources.length === 0) {
    return resources.filter((resource) => of.get(resource) === chosen[0]);
  }
  const names = listed(all.map((name) => `'${name}'`), "and");
  throw new UsageError(
    chosen.length > 1
      ? `The resources belong to several clusters: expected '--cluster' to name one of ${names}`
      : `There are no resources of the cluster '${wanted}': found those of ${names}`,
  );
}

/** Clusters of one name in two namespaces differ. Without a namespace, the only one is used. */
function clustersOf(resources: readonly Resource[]): ReadonlyMap<Resource, string> {
  const named = resources.map(({ manifest: { namespace }, aside }) => {
    const name = String(field(aside.opensearch_cluster, "name") ?? "");
    return { name, full: namespace === undefined ? name : `${namespace}/${name}` };
  });
  return new Map(resources.map((resource, index) => {
    const { name, full } = named[index]!;
    const namespaced = new Set(
      named.filter((other) => other.name === name && other.full !== name).map(({ full }) => full),
    );
    const [only] = namespaced;
    return [resource, full === name && namespaced.size === 1 ? only! : full];
  }));
}
