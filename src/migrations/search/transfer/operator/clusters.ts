import { listed } from "../../../../text/mod.ts";
import { field } from "../../json/json_values.ts";
import type { Resource } from "./read_resource.ts";

/** Thrown when one of several clusters has to be chosen, or none has the name. */
export class ClusterChoiceError extends Error {
  override readonly name = "ClusterChoiceError";
}

/**
 * The resources of one cluster.
 *
 * @param wanted `name` or `namespace/name`; there may be no others where it is not given
 * @throws {ClusterChoiceError} naming the clusters that there are
 */
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
  if (chosen.length > 1) {
    throw new ClusterChoiceError(
      `The resources are of several clusters: expected '--cluster' to say which of ${names}`,
    );
  }
  throw new ClusterChoiceError(
    `There are no resources of the cluster '${wanted}': found those of ${names}`,
  );
}

/** Clusters of one name in two namespaces are two. Who names no namespace means the only one that there is. */
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
