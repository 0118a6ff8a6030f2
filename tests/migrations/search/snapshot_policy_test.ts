import { assertEquals, assertMatch } from "@std/assert";
import type { RunReport } from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { preview } from "./inspected.ts";
import { apply, planned, type Tree } from "./runner.ts";

const PATH = "/_plugins/_sm/policies/daily";
const FILE = "daily-snapshots.json";

const policy = (description: string, rest: Record<string, unknown> = {}) =>
  JSON.stringify({
    description,
    creation: {
      schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } },
      time_limit: "60m",
    },
    deletion: { condition: { max_count: 5 } },
    snapshot_config: { repository: "r1", indices: "*" },
    ...rest,
  });

const outcome = ({ results, error }: RunReport) => [
  results[0]?.outcome,
  results[0]?.note,
  error?.message,
];

const sent = ({ requests }: ClusterDouble, from = 0) =>
  requests.map(({ line }) => line).filter((line) => line.includes("_sm/")).slice(from);

async function differing({ url }: ClusterDouble, files: Tree): Promise<readonly string[]> {
  const found = await preview(url, files);
  return found.flatMap(({ differences = [] }) => differences.map(({ path }) => path));
}

async function live(double: ClusterDouble): Promise<Record<string, unknown>> {
  return (await (await fetch(double.url + PATH)).json()).sm_policy;
}

Deno.test("a snapshot policy is made by POST, and replaced by the version of the record", async () => {
  await using double = startClusterDouble();
  const first = await apply(double.url, { [FILE]: policy("one") });
  assertEquals(outcome(first), ["applied", undefined, undefined]);
  assertEquals(await differing(double, { [FILE]: policy("one") }), []);
  const second = await apply(double.url, { [FILE]: policy("two") });
  assertEquals(outcome(second), ["reapplied", undefined, undefined]);
  assertEquals((await live(double)).description, "two");
  const writes = sent(double).filter((line) => !line.startsWith("GET"));
  assertEquals(writes, [`POST ${PATH}`, `PUT ${PATH}?if_seq_no=140&if_primary_term=1`]);
});

Deno.test("plan names how a snapshot policy will be written", async () => {
  await using double = startClusterDouble();
  const planOf = async (text: string) => {
    return (await planned(double.url, { [FILE]: text })).steps[0]!;
  };
  assertMatch(
    (await planOf(policy("one"))).requests[0]!,
    /^POST \/_plugins\/_sm\/policies\/daily\n/,
  );
  await apply(double.url, { [FILE]: policy("one") });
  const { requests, differences } = await planOf(policy("two"));
  assertMatch(requests[0]!, /^PUT .*if_seq_no=140&if_primary_term=1\n/);
  assertEquals(differences, [{ path: "description", wanted: "two", live: "one" }]);
});

Deno.test("a snapshot policy that is there already and the same is adopted, whatever the plugin adds", async () => {
  await using double = startClusterDouble();
  const text = policy("one", { notification: { channel: { id: "c" } } });
  await fetch(double.url + PATH, { method: "POST", body: text });
  const report = await apply(double.url, { [FILE]: text });
  assertEquals(outcome(report), ["applied", "the live policy is the same already", undefined]);
});

Deno.test("what a file says of a snapshot policy is compared, be it what the plugin would fill in", async () => {
  const said = {
    enabled: true,
    notification: { channel: { id: "c" }, conditions: { creation: true, failure: false } },
    deletion: { condition: { max_count: 5, min_count: 1 } },
  };
  const table: [change: Record<string, unknown>, path: string][] = [
    [{ enabled: false }, "enabled"],
    [
      { notification: { channel: { id: "c" }, conditions: { creation: true, failure: true } } },
      "notification.conditions.failure",
    ],
    [{ deletion: { condition: { max_count: 5, min_count: 2 } } }, "deletion.condition.min_count"],
  ];
  for (const [change, path] of table) {
    await using double = startClusterDouble();
    const files = { [FILE]: policy("one", said) };
    await apply(double.url, files);
    assertEquals(await differing(double, files), []);
    const changed = policy("one", { ...said, ...change });
    const query = "?if_seq_no=140&if_primary_term=1";
    await (await fetch(double.url + PATH + query, { method: "PUT", body: changed })).body?.cancel();
    assertEquals(await differing(double, files), [path]);
  }
});

Deno.test("a snapshot policy that was stopped by hand stays so when its file changes", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { [FILE]: policy("one") });
  await fetch(`${double.url}${PATH}/_stop`, { method: "POST" });
  const report = await apply(double.url, { [FILE]: policy("two") });
  assertMatch(
    report.results[0]!.note!,
    /another client had changed; it stays stopped$/,
  );
  const { enabled, description } = await live(double);
  assertEquals([enabled, description], [false, "two"]);
  assertEquals((await apply(double.url, { [FILE]: policy("2b") })).error, undefined);
  assertEquals([(await live(double)).enabled, (await live(double)).description], [false, "2b"]);
  // An author who sets `enabled` decides.
  await apply(double.url, { [FILE]: policy("three", { enabled: true }) });
  assertEquals((await live(double)).enabled, true);
});

Deno.test("a snapshot policy that another client starts meanwhile is not stopped again", async () => {
  let rounds = 0;
  await using double = startClusterDouble({
    intercept: async (line, _, { url }) => {
      // Between the read and the write that follows it.
      if (!line.startsWith("PUT") || !line.includes("if_seq_no") || ++rounds !== 2) {
        return undefined;
      }
      await fetch(`${new URL(url).origin}${PATH}/_start`, { method: "POST" });
      return undefined;
    },
  });
  await apply(double.url, { [FILE]: policy("one") });
  await fetch(`${double.url}${PATH}/_stop`, { method: "POST" });
  assertEquals((await apply(double.url, { [FILE]: policy("two") })).error, undefined);
  const { enabled, description } = await live(double);
  assertEquals([rounds, enabled, description], [3, true, "two"]);
});

Deno.test("a stopped snapshot policy that is the same already is not started by its next change", async () => {
  await using double = startClusterDouble();
  await fetch(double.url + PATH, { method: "POST", body: policy("one", { enabled: false }) });
  await apply(double.url, { [FILE]: policy("one") });
  await apply(double.url, { [FILE]: policy("two") });
  const { enabled, description } = await live(double);
  assertEquals([enabled, description], [false, "two"]);
});

Deno.test("a request for a snapshot policy is sent byte for byte, and starts one that was stopped", async () => {
  await using double = startClusterDouble();
  const envelope = (description: string) =>
    JSON.stringify({ method: "PUT", path: PATH, body: JSON.parse(policy(description)) });
  await apply(double.url, { "x.json": envelope("one") });
  await fetch(`${double.url}${PATH}/_stop`, { method: "POST" });
  const report = await apply(double.url, { "x.json": envelope("two") });
  assertMatch(report.results[0]!.note!, /it was stopped, and is started again$/);
  assertEquals((await live(double)).enabled, true);
});

Deno.test("a snapshot policy whose answer got lost is not made twice", async () => {
  let lost = false;
  await using double = startClusterDouble({
    loseAnswer: (line) => line === `POST ${PATH}` && !lost && (lost = true),
  });
  const report = await apply(double.url, { [FILE]: policy("one") });
  assertEquals(report.error, undefined);
  assertEquals((await live(double)).description, "one");
});

Deno.test("what the plugin refuses fails with its reason, and is not recorded", async () => {
  await using double = startClusterDouble();
  const bad = policy("one", { snapshot_config: {} });
  const report = await apply(double.url, { [FILE]: bad });
  assertMatch(report.error!.message, /Must provide the repository in snapshot config/);
  assertEquals(outcome(await apply(double.url, { [FILE]: policy("one") }))[0], "applied");
});

Deno.test("a cluster without the plugin is recognized", async () => {
  await using double = startClusterDouble({ ism: false });
  const report = await apply(double.url, { [FILE]: policy("one") });
  assertMatch(report.error!.message, /has no index state management/);
});
