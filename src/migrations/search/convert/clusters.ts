import { listed } from "../../../text/mod.ts";
import { field } from "../json_values.ts";
import type { Resource } from "./read_resource.ts";

/** Thrown where it is not said which of several clusters is meant, or where there is none of the name. */
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
  const all = [...new Set(resources.map(clusterOf))];
  const chosen = wanted === undefined
    ? all
    : all.filter((name) => name === wanted || name.endsWith(`/${wanted}`));
  if (chosen.length === 1 || resources.length === 0) {
    return resources.filter((resource) => clusterOf(resource) === chosen[0]);
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

/** Clusters of one name in two namespaces are two. */
function clusterOf({ manifest: { namespace }, aside }: Resource): string {
  const name = String(field(aside.opensearch_cluster, "name") ?? "");
  return namespace === undefined ? name : `${namespace}/${name}`;
}
