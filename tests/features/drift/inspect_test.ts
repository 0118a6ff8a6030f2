import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { files, policy, put, send, template } from "../../migrations/search/inspected.ts";
import { POLICY_ACTIONS, policyWith } from "../../migrations/search/policy_actions.ts";
import { apply, recorded, type Tree } from "../../migrations/search/runner.ts";
import { workspace } from "../../e2e/command_line.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { drifted } from "./support.ts";

const drift = async (url: string, tree: Tree) =>
  (await drifted(url, tree)).map(({ file, resource, differences }) => [
    file,
    resource,
    ...differences.map(({ path, wanted, live }) => `${path}: ${wanted} is ${live}`),
  ]);

Deno.test("drift finds resources that were changed or deleted since", async () => {
  await using double = startClusterDouble();
  await apply(double.url, files);
  assertEquals(await drift(double.url, files), []);
  await send(double.url, "PUT", "/_index_template/logs", JSON.parse(template(7)));
  await send(double.url, "PUT", "/users/_settings", { index: { refresh_interval: "1s" } });
  await send(double.url, "DELETE", "/_plugins/_ism/policies/old");
  const found = await drift(double.url, files);
  assertEquals(found.map(([path, resource]) => [path, resource]), [
    ["1/logs-template.json", "index_template logs"],
    ["2/users-index.json", "index users"],
    ["3/old-policy.json", "policy old"],
  ]);
  assertEquals(found[0]![2], "template.settings.index.number_of_shards: 1 is 7");
  assertEquals(found[1]![2], "settings.index.refresh_interval: 5s is 1s");
});

Deno.test("drift follows later files: requests that change an index, replace or delete a template", async () => {
  await using double = startClusterDouble();
  const tree = {
    ...files,
    "5.json": '{"method":"PUT","path":"/users/_settings","body":{"refresh_interval":"9s"}}',
    "6.json":
      '{"method":"PUT","path":"/users/_mapping","body":{"properties":{"at":{"type":"date"}}}}',
    "7.json": `{"method":"PUT","path":"/_index_template/logs","body":${template(3)}}`,
    "8/x-template.json": '{"index_patterns":["x"],"template":{}}',
    "9.json": '{"method":"DELETE","path":"/_index_template/x"}',
  };
  assertEquals((await apply(double.url, tree)).error, undefined);
  assertEquals(await drift(double.url, tree), []);
  await send(double.url, "PUT", "/users/_settings", { refresh_interval: "1s" });
  await send(double.url, "PUT", "/_index_template/logs", JSON.parse(template(7)));
  assertEquals((await drift(double.url, tree)).map(([path]) => path), ["5.json", "7.json"]);
});

Deno.test("drift says of an edited file that it cannot tell, and of none that it differs", async () => {
  await using double = startClusterDouble();
  await apply(double.url, files);
  const edited = { ...files, "1/logs-template.json": template(2) };
  const [found, ...rest] = await drifted(double.url, edited);
  assertEquals([found!.file, found!.differences, rest], ["1/logs-template.json", [], []]);
  assertMatch(found!.note!, /edited since it was applied, so this cannot be compared/);
});

Deno.test("drift does not miss a policy that an edited file had deleted", async () => {
  await using double = startClusterDouble();
  const path = "/_plugins/_ism/policies/old";
  const tree = {
    "1/old-policy.json": policy("1d"),
    "2.json": JSON.stringify({ method: "DELETE", path }),
  };
  await apply(double.url, tree);
  assertEquals(await drifted(double.url, tree), []);
  assertEquals(await drifted(double.url, { ...tree, "2.json": put("/elsewhere", {}) }), []);
});

Deno.test("drift counts additions to a policy", async () => {
  await using double = startClusterDouble();
  const bare = { "p-policy.json": policy("1d").replace(/,"ism_template":\{.*?\}/, "") };
  await apply(double.url, bare);
  await send(
    double.url,
    "PUT",
    "/_plugins/_ism/policies/p?if_seq_no=0&if_primary_term=1",
    JSON.parse(policy("1d")),
  );
  const [found] = await drifted(double.url, bare);
  assertEquals(found?.differences.map(({ path, wanted }) => [path, wanted]), [
    ["ism_template", undefined],
  ]);
});

Deno.test("drift of a pipeline tells every change, within lists and of types too", async () => {
  await using double = startClusterDouble();
  const set = { field: "a", value: 1 };
  const files = { "p-pipeline.json": JSON.stringify({ processors: [{ set }] }) };
  await apply(double.url, files);
  assertEquals(await drifted(double.url, files), []);
  for (const changed of [{ ...set, value: "1" }, { ...set, override: false }]) {
    await send(double.url, "PUT", "/_ingest/pipeline/p", { processors: [{ set: changed }] });
    const [drift] = await drifted(double.url, files);
    assertEquals(drift?.differences.map(({ path }) => path), ["processors"]);
  }
});

Deno.test("drift counts additions to a template", async () => {
  await using double = startClusterDouble();
  const files = { "a-template.json": '{"index_patterns":["a"],"priority":5}' };
  await apply(double.url, files);
  const body = {
    index_patterns: ["a"],
    priority: 5,
    template: { settings: { "blocks.write": true } },
  };
  await send(double.url, "PUT", "/_index_template/a", body);
  const live = { settings: { "index.blocks.write": "true" } };
  assertEquals((await drifted(double.url, files))[0]?.differences, [
    { path: "template", wanted: undefined, live },
  ]);
});

Deno.test("lifecycle policies of Elasticsearch are put and compared", async () => {
  await using double = startClusterDouble({ flavour: "elasticsearch" });
  const tree = {
    "hot-policy.json": '{"policy":{"phases":{"delete":{"min_age":"30d","actions":{"delete":{}}}}}}',
  };
  assertEquals((await apply(double.url, tree)).error, undefined);
  assertEquals(await drift(double.url, tree), []);
  await send(double.url, "PUT", "/_ilm/policy/hot", {
    policy: { phases: { delete: { min_age: "9d", actions: { delete: {} } } } },
  });
  assertEquals(await drift(double.url, tree), [
    ["hot-policy.json", "lifecycle policy hot", "policy.phases.delete.min_age: 30d is 9d"],
  ]);
  await using opensearch = startClusterDouble();
  assertMatch(
    String((await apply(opensearch.url, tree)).error),
    /OpenSearch needs policies with 'states'/,
  );
});

Deno.test("drift cannot compare what a later file patches", async () => {
  const roles = "/_plugins/_security/api/rolesmapping";
  const change = (path: string) => [{ op: "add", path, value: ["ada"] }];
  for (const [path, body] of [[`${roles}/r`, change("/users")], [roles, change("/r/users")]]) {
    await using double = startClusterDouble();
    const files = {
      "1.json": put(`${roles}/r`, { backend_roles: ["b"] }),
      "2.json": JSON.stringify({ method: "PATCH", path, body }),
    };
    await recorded(double.url, files);
    assertEquals(await drifted(double.url, files), [{
      file: "2.json",
      resource: "role mapping r",
      differences: [],
      note: "the file changes a part of it by PATCH, so this cannot be compared",
    }]);
  }
});

Deno.test("drift finds nothing after a policy of any action is applied", async () => {
  await using double = startClusterDouble();
  const files = Object.fromEntries(
    POLICY_ACTIONS.map((
      { sent },
      index,
    ) => [`${10 + index}-policy.json`, JSON.stringify({ policy: policyWith(sent) })]),
  );
  assertEquals((await apply(double.url, files)).error, undefined);
  assertEquals(await drifted(double.url, files), []);
});

Deno.test("drift says that a snapshot policy was stopped, which its file leaves open", async () => {
  await using double = startClusterDouble();
  const files = {
    "daily-snapshots.json": JSON.stringify({
      creation: { schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } } },
      deletion: { condition: { max_count: 5 } },
      snapshot_config: { repository: "r1", indices: "*" },
    }),
  };
  await apply(double.url, files);
  assertEquals(await drifted(double.url, files), []);
  await send(double.url, "POST", "/_plugins/_sm/policies/daily/_stop");
  const [found] = await drifted(double.url, files);
  assertEquals(found?.note, "the cluster has more than the file: enabled");
});

Deno.test("resolve --retry of an applied file undoes drift, and refuses what does harm twice", async () => {
  await using double = startClusterDouble();
  await using space = await workspace({
    "config/application.yml": `search:\n  - name: logs\n    hosts: [${double.url}]\n` +
      "    migrations: { enabled: true }\n",
    "migrations/logs/logs-template.json": template(1),
    "migrations/logs/once.json": '{"method":"POST","path":"/orders/_doc","body":{}}',
  });
  const search = (...args: string[]) => space.run(...args, "-m", "search");
  assertEquals((await search("migrate")).code, 0);
  await send(double.url, "PUT", "/_index_template/logs", JSON.parse(template(7)));
  assertEquals((await search("drift")).code, 5);
  assertStringIncludes((await search("migrate")).stdout, "up to date");
  assertEquals(
    (await search("resolve", "logs-template.json", "--retry")).stdout,
    "logs/logs-template.json: the next run applies it\n  known: it was applied\n",
  );
  const plan = await search("plan");
  assertStringIncludes(plan.stdout, "@ template.settings.index.number_of_shards");
  assertMatch(
    plan.stdout,
    /notice: logs-template\.json: Applied again, though it did not change\n/,
  );
  assertEquals((await search("status", "--check")).code, 4);
  assertStringIncludes((await search("migrate")).stdout, "1 reapplied");
  assertEquals((await search("drift")).code, 0);
  assertEquals((await search("status", "--check")).code, 0);
  const { code, stderr } = await search("resolve", "once.json", "--retry");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "no interrupted file has this path");
});
