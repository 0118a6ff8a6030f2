import { assertEquals } from "@std/assert";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { endLease, Kill } from "../../migrations/search/kill.ts";
import { apply, connectionTo } from "../../migrations/search/runner.ts";
import { spawnPolicies } from "./run_child.ts";
import { policies } from "./support.ts";

const tree = (description: string) => ({
  "p-policy.json": JSON.stringify({
    policy: {
      description,
      default_state: "hot",
      states: [{ name: "hot" }],
      ism_template: [{ index_patterns: ["a-*"] }],
    },
  }),
});
const policyChanges = "apply" as const;

/** A cluster whose policy manages an index, with the version of its first file. */
async function managing(options: Parameters<typeof startClusterDouble>[0]): Promise<ClusterDouble> {
  const double = startClusterDouble(options);
  await apply(policies(connectionTo(double.url), policyChanges), tree("one"));
  await (await fetch(`${double.url}/a-1`, { method: "PUT" })).body?.cancel();
  double.runPolicyJobs();
  return double;
}

/** The requests of an undisturbed run. */
async function steps(): Promise<readonly string[]> {
  await using double = await managing({});
  double.requests.length = 0;
  const { error } = await apply(policies(connectionTo(double.url), policyChanges), tree("two"));
  assertEquals([error, double.requests.length > 5], [undefined, true]);
  return double.requests.map(({ line }) => line);
}

for (const [index, step] of (await steps()).entries()) {
  for (const when of ["before", "after"] as const) {
    Deno.test(`a policy reaches its indices though a run is killed ${when} request ${index + 1}, ${step}`, async () => {
      const kill = new Kill(index + 1, when);
      await using double = await managing(kill);
      await kill.of(spawnPolicies({ url: double.url, tree: tree("two"), policyChanges }));

      endLease(double);
      const connection = policies(connectionTo(double.url), policyChanges);
      assertEquals((await apply(connection, tree("two"))).error, undefined);
      double.runPolicyJobs();
      const explained = await (await fetch(`${double.url}/_plugins/_ism/explain/a-1`)).json();
      assertEquals(explained["a-1"].policy_seq_no, 1);
      assertEquals((await apply(connection, tree("two"))).requests, 1);
    });
  }
}
