import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { workspace } from "./command_line.ts";

const policy = (description: string, age: string) =>
  JSON.stringify({
    policy: {
      description,
      default_state: "hot",
      states: [
        { name: "hot", transitions: [{ state_name: "gone", conditions: { min_index_age: age } }] },
        { name: "gone", actions: [{ delete: {} }] },
      ],
      ism_template: [{ index_patterns: ["a-*"] }],
    },
  });

Deno.test("cli migrate deletes no indices by a policy until --yes agrees to it, as plan says", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": `search:\n  - name: logs\n    hosts: ['${double.url}']\n` +
      "    migrations: { enabled: true, policy_changes: apply }\n",
    "migrations/logs/p-policy.json": policy("one", "30d"),
  });
  assertEquals((await space.run("-m", "search")).code, 0);
  await (await fetch(`${double.url}/a-1`, { method: "PUT" })).body?.cancel();
  double.runPolicyJobs();
  await space.write("migrations/logs/p-policy.json", policy("two", "0ms"));

  const planned = await space.run("plan", "-m", "search");
  assertEquals(planned.code, 0);
  const danger =
    "p-policy.json: Policy 'p' deletes 1 index that it manages, as soon as its job runs: " +
    "'a-1' (hot → gone)";
  assertStringIncludes(planned.stdout, `  wants '--yes': ${danger}\n`);
  assertStringIncludes(planned.stdout, "    POST /_plugins/_ism/change_policy/a-1\n");
  assertMatch(
    planned.stdout,
    /# a-1 \(0m old, in state 'hot'\): would go on to 'gone' and be deleted at once\n/,
  );

  const refused = await space.run("-m", "search", "--json");
  assertEquals(refused.code, 2);
  const { connections: [connection] } = JSON.parse(refused.stdout);
  assertEquals(connection.error, `Nothing of 'logs' was applied: it wants '--yes'\nlogs/${danger}`);
  assertEquals(refused.stderr.includes("    at "), false);

  const agreed = await space.run("-m", "search", "--yes");
  assertEquals(agreed.code, 0);
  assertStringIncludes(agreed.stderr, `notice: logs/${danger}; '--yes' agrees to it\n`);
  assertStringIncludes(agreed.stdout, "1 index changes to it at the next run of its job");
});
