import { assertEquals } from "@std/assert";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
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
      let child: Deno.ChildProcess | undefined;
      let seen = 0;
      const kill = async (moment: string) => {
        if (!child || moment !== when || seen !== index + 1) return false;
        child.kill("SIGKILL");
        await child.status;
        child = undefined;
        return true;
      };
      await using double = await managing({
        intercept: async () => {
          if (child) seen++;
          return await kill("before") ? new Response() : undefined;
        },
        loseAnswer: () => kill("after"),
      });
      const started = child = spawnPolicies({ url: double.url, tree: tree("two"), policyChanges });
      const { signal } = await started.output();
      assertEquals(signal, "SIGKILL");

      const lock = double.documents.indices.get("framework_migrations_lock")?.documents.get("logs");
      const source = lock?.source as Record<string, unknown>;
      if (source.state === "held") source.lease_expires_at = new Date(0).toISOString();
      const connection = policies(connectionTo(double.url), policyChanges);
      assertEquals((await apply(connection, tree("two"))).error, undefined);
      double.runPolicyJobs();
      const explained = await (await fetch(`${double.url}/_plugins/_ism/explain/a-1`)).json();
      assertEquals(explained["a-1"].policy_seq_no, 1);
      assertEquals((await apply(connection, tree("two"))).requests, 1);
    });
  }
}
