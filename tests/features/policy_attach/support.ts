import type { Tree } from "../../migrations/search/runner.ts";
import type { ClusterDouble } from "../../servers/cluster_double.ts";

type States = readonly Record<string, unknown>[];

/** States that delete what is older than `age`. */
export const until = (age: string): States => [
  {
    name: "hot",
    actions: [],
    transitions: [{ state_name: "gone", conditions: { min_index_age: age } }],
  },
  { name: "gone", actions: [{ delete: {} }], transitions: [] },
];

/** The file of a policy, which takes the indices of the pattern. */
export function policyFile(
  name: string,
  pattern: string | undefined,
  { description = "one", states = until("30d"), priority = 1 }: {
    readonly description?: string;
    readonly states?: States;
    readonly priority?: number;
  } = {},
): Tree {
  const templates = pattern === undefined ? undefined : [{ index_patterns: [pattern], priority }];
  const policy = {
    description,
    default_state: states[0]!.name,
    states,
    ...(templates && { ism_template: templates }),
  };
  return { [`${name}-policy.json`]: JSON.stringify({ policy }) };
}

/** Makes indices by their names, with a body where there is one. */
export async function make(
  { url }: ClusterDouble,
  ...indices: (string | readonly [name: string, body: unknown])[]
): Promise<void> {
  for (const [name, body] of indices.map((one) => [one].flat())) {
    const answer = await fetch(`${url}/${name}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.body?.cancel();
  }
}

/** The policies of all indices without those of the runner, by their names. */
export async function explained(
  { url, documents }: ClusterDouble,
): Promise<Readonly<Record<string, string | undefined>>> {
  const names = [...documents.indices.keys()].filter((name) => !name.startsWith("framework_"));
  const answer = await fetch(`${url}/_plugins/_ism/explain/${names.join(",")}`);
  const found = await answer.json();
  return Object.fromEntries(names.map((name) => [name, found[name].policy_id]));
}
