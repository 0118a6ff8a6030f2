import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { MigrationFailedError, type RunReport } from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { apply } from "./runner.ts";

const policy = (description: string, rest: Record<string, unknown> = {}) =>
  JSON.stringify({
    policy: {
      description,
      default_state: "hot",
      states: [{ name: "hot", actions: [{ rollover: { min_index_age: "1d" } }], transitions: [] }],
      ...rest,
    },
  });

const sent = ({ requests }: ClusterDouble) =>
  requests.map(({ line }) => line).filter((line) => line.includes("_ism"));

const outcome = ({ results, error }: RunReport) => [
  results[0]?.outcome,
  results[0]?.note,
  error?.message,
];

async function live(double: ClusterDouble): Promise<string> {
  const response = await fetch(`${double.url}/_plugins/_ism/policies/p`);
  return (await response.json()).policy.description;
}

Deno.test("a new policy is created by one request, and not sent again", async () => {
  await using double = startClusterDouble();
  const files = { "p-policy.json": policy("one") };
  assertEquals(outcome(await apply(double.url, files)), ["applied", undefined, undefined]);
  await apply(double.url, files);
  assertEquals(sent(double), ["PUT /_plugins/_ism/policies/p"]);
});

Deno.test("a changed policy names the version of the record, zero included", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "p-policy.json": policy("one") });
  const report = await apply(double.url, { "p-policy.json": policy("two") });
  assertEquals(outcome(report), ["reapplied", undefined, undefined]);
  assertEquals(sent(double)[1], "PUT /_plugins/_ism/policies/p?if_seq_no=0&if_primary_term=1");
  assertEquals(await live(double), "two");
});

Deno.test("a policy that is there already and the same is adopted", async () => {
  await using double = startClusterDouble();
  const template = { index_patterns: ["a-*"], priority: 3 };
  const text = policy("one", { ism_template: template });
  await fetch(`${double.url}/_plugins/_ism/policies/p`, { method: "PUT", body: text });
  const report = await apply(double.url, { "p-policy.json": text });
  assertEquals(outcome(report), ["applied", "the live policy is the same already", undefined]);
  await apply(double.url, { "p-policy.json": policy("two", { ism_template: template }) });
  assertEquals(await live(double), "two");
});

Deno.test("a policy that is there already and differs is replaced, and that is said", async () => {
  await using double = startClusterDouble();
  const path = `${double.url}/_plugins/_ism/policies/p`;
  await fetch(path, { method: "PUT", body: policy("by hand") });
  const report = await apply(double.url, { "p-policy.json": policy("one") });
  assertEquals(outcome(report), ["applied", "replaced the policy that was there", undefined]);
  assertEquals(await live(double), "one");
});

Deno.test("a policy that another client changed since is replaced, with a notice", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "p-policy.json": policy("one") });
  const path = `${double.url}/_plugins/_ism/policies/p?if_seq_no=0&if_primary_term=1`;
  await fetch(path, { method: "PUT", body: policy("by hand") });
  const report = await apply(double.url, { "p-policy.json": policy("two") });
  const note = "replaced a policy that another client had changed";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
  assertEquals(await live(double), "two");
});

Deno.test("a policy that was deleted since is created again", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "p-policy.json": policy("one") });
  await fetch(`${double.url}/_plugins/_ism/policies/p`, { method: "DELETE" });
  const report = await apply(double.url, { "p-policy.json": policy("two") });
  assertEquals(report.error, undefined);
  assertEquals(await live(double), "two");
});

Deno.test("a policy that the cluster refuses fails with its reason, and is not recorded", async () => {
  await using double = startClusterDouble();
  const files = { "p-policy.json": policy("one", { default_state: "nope" }) };
  const report = await apply(double.url, files);
  assertInstanceOf(report.error, MigrationFailedError);
  assertMatch(
    report.error.message,
    /refused it: HTTP 400: .*Policy must have a valid default state/,
  );
  assertEquals(double.documents.indices.get("framework_migrations")!.documents.size, 0);
});

Deno.test("the path of Open Distro is taken where the other has no handler", async () => {
  await using double = startClusterDouble({ ism: "_opendistro" });
  const report = await apply(double.url, { "p-policy.json": policy("one") });
  assertEquals(report.error, undefined);
  assertEquals(sent(double), ["PUT /_plugins/_ism/policies/p", "PUT /_opendistro/_ism/policies/p"]);
});

Deno.test("a cluster without the plugin gives a clear error", async () => {
  await using double = startClusterDouble({ ism: false });
  const report = await apply(double.url, { "p-policy.json": policy("one") });
  assertInstanceOf(report.error, MigrationFailedError);
  assertMatch(report.error.message, /has no index state management: install the plugin/);
});

Deno.test("the race to create the plugin's index is tried again", async () => {
  let first = true;
  // As recorded: every loser gets this, and a GET would get 503 for a moment.
  const error = {
    type: "status_exception",
    reason: "index [.opendistro-ism-config/jFfB6_xoTwC2AYlbbx-jzQ] already exists",
  };
  await using double = startClusterDouble({
    intercept: (line) => {
      if (!line.includes("_ism") || !first) return undefined;
      first = false;
      return Response.json({ error, status: 409 }, { status: 409 });
    },
  });
  assertEquals((await apply(double.url, { "p-policy.json": policy("one") })).error, undefined);
  assertEquals(sent(double).length, 2);
});
