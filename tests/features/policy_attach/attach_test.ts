import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exitCodeOf } from "../../../src/cli/exit_code_of.ts";
import { ConfirmationError, type RunReport } from "../../../src/migrations/runner/mod.ts";
import { apply, connectionTo, planned } from "../../migrations/search/runner.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { workspace } from "../../e2e/command_line.ts";
import { policies } from "../policy_effects/support.ts";
import { explained, make, policyFile, until } from "./support.ts";

const applying = (double: ClusterDouble) => policies(connectionTo(double.url), "apply");

const outcome = ({ results: [result], error }: RunReport) => {
  return [result?.outcome, result?.note, error?.message];
};

const sent = ({ requests }: ClusterDouble) =>
  requests.map(({ line }) => line.replace("/_plugins/_ism/", "")).filter((line) =>
    /^(PUT|POST) (policies|add|change)/.test(line)
  );

Deno.test("policy_attach + a new policy is attached to the indices without one that it matches", async () => {
  await using double = startClusterDouble();
  await make(double, "a-1", "a-2", "b-1");
  const report = await apply(applying(double), policyFile("p", "a-*"));
  assertEquals(outcome(report), ["applied", "attached to 2 indices", undefined]);
  assertEquals(sent(double), ["PUT policies/p", "POST add/a-1,a-2"]);
  assertEquals(await explained(double), { "a-1": "p", "a-2": "p", "b-1": undefined });
  double.requests.length = 0;
  assertEquals((await apply(applying(double), policyFile("p", "a-*"))).requests, 1);
});

Deno.test("policy_attach + a changed policy changes its indices, and is attached to the others", async () => {
  await using double = startClusterDouble();
  await make(double, "a-0");
  await apply(double.url, policyFile("p", "a-*"));
  await make(double, "a-1");
  double.runPolicyJobs();
  const report = await apply(applying(double), policyFile("p", "a-*", { description: "two" }));
  const note = "1 index changes to it at the next run of its job; attached to 1 index";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
  assertEquals(sent(double).slice(-2), ["POST change_policy/a-1", "POST add/a-0"]);
});

Deno.test("policy_attach + nothing is attached with 'keep', and plan names the indices", async () => {
  await using double = startClusterDouble();
  await make(double, "a-1", "a-2");
  const files = policyFile("p", "a-*", { states: until("0ms") });
  const { steps: [step], dangers } = await planned(double.url, files);
  assertEquals(dangers, undefined);
  assertEquals(step?.requests.length, 1);
  assertEquals(step?.consequences, [
    "2 indices without a policy that it matches; with 'migrations.policy_changes: apply' it would reach:",
    "a-1 (0m old, without a policy): would go on to 'gone' and be deleted at once",
    "a-2 (0m old, without a policy): would go on to 'gone' and be deleted at once",
  ]);
  assertEquals(outcome(await apply(double.url, files)), ["applied", undefined, undefined]);
  assertEquals(await explained(double), { "a-1": undefined, "a-2": undefined });
});

Deno.test("policy_attach + plan with 'apply' shows the request and asks for a confirmation", async () => {
  await using double = startClusterDouble();
  await make(double, "a-1", "a-2");
  const files = policyFile("p", "a-*", { states: until("0ms") });
  const { steps: [step], dangers } = await planned(applying(double), files);
  assertEquals(step?.requests.at(-1), 'POST /_plugins/_ism/add/a-1,a-2\n{"policy_id":"p"}');
  assertEquals(step?.consequences?.length, 2);
  const message = "Policy 'p' deletes 2 indices without a policy that it matches, " +
    "as soon as their jobs run: 'a-1', 'a-2' (hot → gone)";
  assertEquals(dangers?.map((danger) => danger.message), [message]);
  const refused = await apply(applying(double), files);
  assert(refused.error instanceof ConfirmationError);
  assertStringIncludes(refused.error.message, message);
  assertEquals(sent(double), []);
  assertEquals(outcome(await apply(applying(double), files, { yes: true })), [
    "applied",
    "attached to 2 indices",
    undefined,
  ]);
});

Deno.test("policy_attach + an index that may be deleted and appears unmanaged after the confirmation stops all", async () => {
  let states = 0;
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (!line.startsWith("GET /_cluster/state") || ++states !== 2) return undefined;
      // Made after the policy, and released from it by hand.
      await make(double, "a-2");
      await fetch(`${double.url}/_plugins/_ism/remove/a-2`, { method: "POST" });
      await fetch(`${double.url}/a-2/_settings`, {
        method: "PUT",
        body: '{"index.plugins.index_state_management.auto_manage":true}',
      });
      return undefined;
    },
  });
  await make(double, "a-1");
  const files = policyFile("p", "a-*", { states: until("0ms") });
  const report = await apply(applying(double), files, { yes: true });
  assertEquals(
    report.error?.message,
    "the policy is written, but it would or may delete 1 index that this run was not asked about: " +
      "'a-2' (hot → gone)\n  The next run continues, and asks for confirmation",
  );
  assertEquals(await explained(double), { "a-1": undefined, "a-2": undefined });
  const asked = await apply(applying(double), files);
  assertStringIncludes(asked.error!.message, "deletes 2 indices without a policy");
  await apply(applying(double), files, { yes: true });
  assertEquals(await explained(double), { "a-1": "p", "a-2": "p" });
});

Deno.test("policy_attach + leaves closed, hidden, excluded and own indices, and those that another template wins", async () => {
  await using double = startClusterDouble();
  const hidden = { settings: { "index.hidden": true } };
  const excluded = { settings: { "index.plugins.index_state_management.auto_manage": false } };
  await make(double, "a-1", "a-closed", ".a-dot", "a-special");
  await make(double, ["a-hidden", hidden], ["a-excluded", excluded]);
  await (await fetch(`${double.url}/a-closed/_close`, { method: "POST" })).body?.cancel();
  const files = {
    ...policyFile("all", "*"),
    ...policyFile("special", "a-special*", { priority: 9 }),
  };
  const report = await apply(applying(double), files);
  assertEquals(report.error, undefined);
  assertEquals(report.results.map(({ note }) => note), [
    "attached to 1 index",
    "attached to 1 index",
  ]);
  const managed = Object.entries(await explained(double)).filter(([, policy]) => policy);
  assertEquals(Object.fromEntries(managed), { "a-1": "all", "a-special": "special" });
});

Deno.test("policy_attach + an index that a live policy of a higher priority would win is left to it", async () => {
  await using double = startClusterDouble();
  await make(double, "a-1", "a-2");
  await apply(double.url, policyFile("special", "a-2", { priority: 9 }));
  const report = await apply(applying(double), policyFile("p", "a-*"));
  assertEquals(outcome(report)[1], "attached to 1 index");
  assertEquals(await explained(double), { "a-1": "p", "a-2": undefined });
});

Deno.test("policy_attach + backing indices are matched by the name of their data stream", async () => {
  const index = {
    state: "open",
    settings: { index: { hidden: "true", creation_date: `${Date.now()}` } },
  };
  const stream = { indices: [{ index_name: ".ds-logs-000001" }] };
  await using double = startClusterDouble({
    intercept: (line) => {
      if (!line.startsWith("GET /_cluster/state")) return undefined;
      return Response.json({
        metadata: {
          indices: { ".ds-logs-000001": index, ".ds-other": index },
          data_stream: { data_stream: { logs: stream } },
        },
      });
    },
  });
  await make(double, ".ds-logs-000001", ".ds-other");
  await apply(applying(double), policyFile("p", "logs"));
  assertEquals(sent(double), ["PUT policies/p", "POST add/.ds-logs-000001"]);
  double.requests.length = 0;
  await apply(applying(double), policyFile("other", ".ds-*"));
  assertEquals(sent(double), ["PUT policies/other"]);
});

const UNMANAGED = "This index is not being managed";
const REFUSED = { index_name: "a-2", index_uuid: "u", reason: "This index is closed" };
for (
  const [answer, message] of [
    [{ updated_indices: 0, failures: false, failed_indices: [] }, /attached 0 of 2 indices to it/],
    [{ updated_indices: 1, failures: false, failed_indices: [] }, /attached 1 of 2 indices to it/],
    [{ updated_indices: 2, failures: true, failed_indices: [] }, /gives no reason/],
    [{ updated_indices: 1, failures: true, failed_indices: [REFUSED] }, /'a-2' \(This index is/],
    [
      { updated_indices: 1, failures: true, failed_indices: [{ ...REFUSED, reason: UNMANAGED }] },
      /1 of 2 indices are not attached to it: 'a-2' \(This index is not being managed\)/,
    ],
  ] as const
) {
  Deno.test(`policy_attach + the answer ${JSON.stringify(answer)} is no success, and the next run continues`, async () => {
    let isRefusing = true;
    await using double = startClusterDouble({
      intercept: (line) => isRefusing && line.includes("/add/") ? Response.json(answer) : undefined,
    });
    await make(double, "a-1", "a-2");
    const { error } = await apply(applying(double), policyFile("p", "a-*"));
    assertMatch(error!.message, /^the policy is written, but /);
    assertMatch(error!.message, message);
    isRefusing = false;
    const note = "the live policy is the same already; attached to 2 indices";
    const report = await apply(applying(double), policyFile("p", "a-*"));
    assertEquals(outcome(report), ["applied", note, undefined]);
  });
}

Deno.test("policy_attach + an index that was deleted or got a policy meanwhile is no failure", async () => {
  let isFirst = true;
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (!isFirst || !line.includes("/add/")) return undefined;
      isFirst = false;
      await fetch(`${double.url}/a-1`, { method: "DELETE" });
      const body = '{"policy_id":"p"}';
      await fetch(`${double.url}/_plugins/_ism/add/a-2`, { method: "POST", body });
      return undefined;
    },
  });
  await make(double, "a-1", "a-2", "a-3");
  const report = await apply(applying(double), policyFile("p", "a-*"));
  assertEquals(outcome(report), ["applied", "attached to 1 index", undefined]);
  assertEquals(await explained(double), { "a-2": "p", "a-3": "p" });
});

Deno.test("policy_attach + a user who may not list the indices changes nothing, and plan says so", async () => {
  const reason = "no permissions for [cluster:monitor/state] and User [name=writer]";
  await using double = startClusterDouble({
    intercept: (line) => {
      if (!line.startsWith("GET /_cluster/state")) return undefined;
      return Response.json({ error: { type: "security_exception", reason } }, { status: 403 });
    },
  });
  await make(double, "a-1");
  const { error } = await apply(applying(double), policyFile("p", "a-*"));
  assertStringIncludes(error!.message, "cluster:monitor/state");
  assertEquals(exitCodeOf(error!), 7);
  assertEquals(sent(double), []);
  const { steps: [step], notices } = await planned(applying(double), policyFile("p", "a-*"));
  assertStringIncludes(step!.consequences![0]!, "without a policy that it matches are unknown");
  assertMatch(notices[0]!.message, /cluster:monitor\/state.*: a run fails$/);
  const kept = await planned(double.url, policyFile("p", "a-*"));
  assertEquals(kept.steps[0]?.consequences?.length, 1);
  assertEquals(outcome(await apply(double.url, policyFile("p", "a-*")))[2], undefined);
});

Deno.test("policy_attach + a policy without a template asks for nothing", async () => {
  await using double = startClusterDouble();
  await make(double, "a-1");
  await apply(applying(double), policyFile("p", undefined));
  const lines = double.requests.map(({ line }) => line);
  assertEquals(lines.filter((line) => /cluster\/state|explain\/|add\//.test(line)), []);
});

const GONE = { error: { type: "index_not_found_exception", reason: "no such index [a-3]" } };

Deno.test("policy_attach + an index that is deleted before its policy is read has the others listed again", async () => {
  let explains = 0;
  await using double = startClusterDouble({
    intercept: (line) => {
      // Once before the first file, and once after the policy.
      const isFailing = line.startsWith("GET /_plugins/_ism/explain/") && ++explains % 2 === 1;
      return isFailing ? Response.json(GONE, { status: 404 }) : undefined;
    },
  });
  await make(double, "a-1", "a-2");
  const files = policyFile("p", "a-*", { states: until("0ms") });
  const { dangers } = await planned(applying(double), files);
  assertStringIncludes(dangers![0]!.message, "deletes 2 indices without a policy");
  const report = await apply(applying(double), files, { yes: true });
  assertEquals(outcome(report), ["applied", "attached to 2 indices", undefined]);
});

Deno.test("policy_attach + where all indices of an 'explain' are deleted before it, nothing is attached", async () => {
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (line.startsWith("GET /_plugins/_ism/explain/a-1")) {
        await (await fetch(`${double.url}/a-1`, { method: "DELETE" })).body?.cancel();
      }
      return undefined;
    },
  });
  await make(double, "a-1");
  const report = await apply(applying(double), policyFile("p", "a-*"));
  assertEquals(outcome(report), ["applied", undefined, undefined]);
});

Deno.test("policy_attach + indices whose policies cannot be read fail the run before anything is sent", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.startsWith("GET /_plugins/_ism/explain/")
        ? Response.json(GONE, { status: 404 })
        : undefined,
  });
  await make(double, "a-1");
  const { error } = await apply(applying(double), policyFile("p", "a-*"));
  assertMatch(error!.message, /explain\/a-1.*no such index \[a-3\]/);
  assertEquals([exitCodeOf(error!), sent(double)], [7, []]);
  const explains = double.requests.filter(({ line }) => line.includes("/explain/"));
  assertEquals(explains.length, 3);
});

for (const look of ["GET /_cluster/state", "GET /_plugins/_ism/policies?"]) {
  Deno.test(`policy_attach + a 404 to ${look} is no empty list`, async () => {
    await using double = startClusterDouble({
      intercept: (line) => line.startsWith(look) ? Response.json({}, { status: 404 }) : undefined,
    });
    await make(double, "a-1");
    const { error } = await apply(applying(double), policyFile("p", "a-*"));
    assertMatch(error!.message, /HTTP 404/);
    assertEquals([exitCodeOf(error!), sent(double)], [7, []]);
  });
}

Deno.test("policy_attach + a refusal that stays is not sent again", async () => {
  const refusal = { error: { type: "security_exception", reason: "no permissions for [add]" } };
  await using double = startClusterDouble({
    intercept: (line) =>
      line.includes("/_ism/add/") ? Response.json(refusal, { status: 403 }) : undefined,
  });
  await make(double, "a-1");
  const { error } = await apply(applying(double), policyFile("p", "a-*"));
  assertMatch(error!.message, /refused POST add\/a-1: HTTP 403.*no permissions for \[add\]/);
  assertEquals(sent(double), ["PUT policies/p", "POST add/a-1"]);
});

Deno.test("policy_attach + the note counts the indices of all rounds", async () => {
  let adds = 0;
  await using double = startClusterDouble({
    intercept: (line) =>
      line.includes("/_ism/add/") && ++adds === 2
        ? Response.json(GONE, { status: 404 })
        : undefined,
  });
  await make(double, ...Array.from({ length: 40 }, (_, index) => `a-${"x".repeat(100)}-${index}`));
  const report = await apply(applying(double), policyFile("p", "a-*"));
  assertEquals(outcome(report), ["applied", "attached to 40 indices", undefined]);
  assertEquals(adds, 3);
});

Deno.test("policy_attach + indices that cannot be listed after the policy fail its file, as a refused 'add' does", async () => {
  let explains = 0;
  await using double = startClusterDouble({
    intercept: (line) =>
      line.startsWith("GET /_plugins/_ism/explain/") && ++explains > 1
        ? Response.json(GONE, { status: 404 })
        : undefined,
  });
  await make(double, "a-1");
  const { error } = await apply(applying(double), policyFile("p", "a-*"));
  assertMatch(
    error!.message,
    /^the policy is written, but the indices without a policy that it matches cannot be listed: .*no such index/,
  );
  assertEquals(exitCodeOf(error!), 8);
});

Deno.test("policy_attach + the note counts what a request has attached whose answer is lost", async () => {
  let isFirst = true;
  await using double = startClusterDouble({
    loseAnswer: (line) => {
      if (!isFirst || !line.includes("/_ism/add/")) return false;
      isFirst = false;
      return true;
    },
  });
  await make(double, "a-1", "a-2");
  const report = await apply(applying(double), policyFile("p", "a-*"));
  assertEquals(outcome(report), ["applied", "attached to 2 indices", undefined]);
  assertEquals(await explained(double), { "a-1": "p", "a-2": "p" });
});

for (const changes of ["keep", "apply"]) {
  Deno.test(`policy_attach + an index before its policy is warned of without 'apply': ${changes}`, async () => {
    const policy = policyFile("p", "logs-*")["p-policy.json"]!;
    await using space = await workspace({
      "config/application.yml": "search:\n  - name: logs\n    hosts: [http://127.0.0.1:1]\n" +
        `    migrations: { enabled: true, policy_changes: ${changes} }\n`,
      "migrations/logs/1/logs-1-index.json": '{"settings":{}}',
      "migrations/logs/2/p-policy.json": policy,
    });
    const { code, stderr } = await space.run("validate", "-m", "search");
    assertEquals(code, 0, stderr);
    const isWarned = /policies only manage indices that are created after them/.test(stderr);
    assertEquals(isWarned, changes === "keep", stderr);
  });
}

Deno.test("policy_attach + an index that no preview named is left alone, and named", async () => {
  await using double: ClusterDouble = startClusterDouble({
    async intercept(line) {
      if (line.startsWith("PUT /_plugins/_ism/policies/p")) {
        await make(double, "a-young", "a-2-000002");
      }
      return undefined;
    },
  });
  await make(double, "a-1", "a-2-000001");
  const files = {
    "1/a-own.json": '{"settings":{}}',
    "2/p-policy.json": policyFile("p", "a-*", { states: until("30d") })["p-policy.json"]!,
  };
  const { error, results } = await apply(applying(double), files);
  assertEquals([error, results[1]?.note], [
    undefined,
    "attached to 4 indices; not attached to 'a-young', which the preview did not name",
  ]);
  const series = { "a-2-000001": "p", "a-2-000002": "p" };
  const expected = { "a-1": "p", ...series, "a-own": "p", "a-young": undefined };
  assertEquals(await explained(double), expected);
});

Deno.test("policy_attach + the reason of a failure stays after a run that only asks", async () => {
  let isRefused = true;
  await using double = startClusterDouble({
    intercept: (line) =>
      isRefused && line.startsWith("POST /_plugins/_ism/add/")
        ? Response.json({ error: { type: "broken", reason: "no" } }, { status: 400 })
        : undefined,
  });
  await make(double, "a-1");
  const files = policyFile("p", "a-*", { states: until("0ms") });
  const failed = await apply(applying(double), files, { yes: true });
  assertStringIncludes(failed.error!.message, "broken: no");
  assert((await apply(applying(double), files)).error instanceof ConfirmationError);
  const { notices } = await planned(applying(double), files);
  assertMatch(
    notices[0]!.message,
    /^An earlier run failed here \(.*broken: no\): it is applied again$/,
  );
  isRefused = false;
  assertEquals((await apply(applying(double), files, { yes: true })).error, undefined);
});
