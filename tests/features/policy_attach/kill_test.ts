import { assertEquals } from "@std/assert";
import { endLease, Kill } from "../../migrations/search/kill.ts";
import { apply, connectionTo } from "../../migrations/search/runner.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { spawnPolicies } from "../policy_effects/run_child.ts";
import { policies } from "../policy_effects/support.ts";
import { explained, make, policyFile } from "./support.ts";

const policyChanges = "apply" as const;
/** It deletes nothing: the double does not tell the age of an index whose job has not run yet. */
const tree = policyFile("p", "a-*", { states: [{ name: "hot", actions: [], transitions: [] }] });
const LONG = Array.from({ length: 40 }, (_, index) => `a-${"x".repeat(100)}-${index}`);

/** A cluster with so many indices without a policy that two requests attach it. */
async function prepared(options: Parameters<typeof startClusterDouble>[0]): Promise<ClusterDouble> {
  const double = startClusterDouble(options);
  await make(double, ...LONG);
  double.requests.length = 0;
  return double;
}

/** The requests of an undisturbed run. */
async function steps(): Promise<readonly string[]> {
  await using double = await prepared({});
  const { error } = await apply(policies(connectionTo(double.url), policyChanges), tree);
  const lines = double.requests.map(({ line }) => line.replace(/[?].*|,.*/, ""));
  assertEquals([error, lines.filter((line) => line.includes("/add/")).length], [undefined, 2]);
  return lines;
}

const lines = await steps();
// Before the policy is written, a run is killed as any other.
const written = lines.findIndex((line) => line.startsWith("PUT /_plugins"));
for (const [index, step] of lines.entries().drop(written)) {
  for (const when of ["before", "after"] as const) {
    Deno.test(`policy_attach + attaches to all though a run is killed ${when} request ${index + 1}, ${step.slice(0, 60)}`, async () => {
      const kill = new Kill(index + 1, when);
      await using double = await prepared(kill);
      await kill.of(spawnPolicies({ url: double.url, tree, policyChanges }));

      endLease(double);
      const connection = policies(connectionTo(double.url), policyChanges);
      assertEquals((await apply(connection, tree)).error, undefined);
      assertEquals(new Set(Object.values(await explained(double))), new Set(["p"]));
      assertEquals((await apply(connection, tree)).requests, 1);
    });
  }
}
