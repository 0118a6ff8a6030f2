import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ConfirmationError } from "../../../src/migrations/runner/mod.ts";
import { exitCodeOf } from "../../../src/cli/exit_code_of.ts";
import type { RunReport } from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, connectionTo, planned } from "../../migrations/search/runner.ts";
import { policies } from "./support.ts";

type States = readonly Record<string, unknown>[];
const HOT: States = [{ name: "hot", actions: [], transitions: [] }];
/** States that delete what is older than `age`. */
const until = (age: string): States => [
  {
    name: "hot",
    actions: [],
    transitions: [{ state_name: "gone", conditions: { min_index_age: age } }],
  },
  { name: "gone", actions: [{ delete: {} }], transitions: [] },
];

/** The file of policy `p`, which takes indices `a-*`. */
const file = (description: string, states: States = HOT) => ({
  "p-policy.json": JSON.stringify({
    policy: {
      description,
      default_state: states[0]!.name,
      states,
      ism_template: [{ index_patterns: ["a-*"], priority: 3 }],
    },
  }),
});

const applying = (double: ClusterDouble) => policies(connectionTo(double.url), "apply");

const ism = ({ requests }: ClusterDouble) =>
  requests.map(({ line }) => line.replace("/_plugins/_ism/", "")).filter((line) =>
    // 'GET explain' looks for indices without a policy, see policy_attach.
    /^(?!GET explain)(GET|PUT|POST) (policies|explain|change_policy)/.test(line)
  );

const outcome = ({ results, error }: RunReport) => [
  results[0]?.outcome,
  results[0]?.note,
  error?.message,
];

async function make(double: ClusterDouble, ...names: string[]): Promise<void> {
  for (const name of names) {
    await (await fetch(`${double.url}/${name}`, { method: "PUT" })).body?.cancel();
  }
}

/** The version of the policy that an index works with. */
async function versionOf(double: ClusterDouble, name: string): Promise<number> {
  const answer = await fetch(`${double.url}/_plugins/_ism/explain/${name}`);
  return (await answer.json())[name].policy_seq_no;
}

/** Policy `p` as `one`, with these indices, whose job has run once. */
async function managing(double: ClusterDouble, ...names: string[]): Promise<void> {
  await apply(double.url, file("one"));
  await make(double, ...names);
  double.runPolicyJobs();
  double.requests.length = 0;
}

Deno.test("a changed policy says how many indices keep the previous version, by one request", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1", "a-2");
  const report = await apply(double.url, file("two"));
  const note = "2 indices that it manages keep the previous version " +
    "('migrations.policy_changes: apply' would change that)";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
  assertEquals(ism(double), [
    "PUT policies/p?if_seq_no=0&if_primary_term=1",
    "POST explain?size=1000&from=0",
  ]);
  const records = double.documents.indices.get("framework_migrations")!.documents;
  const sources = [...records.values()].map(({ source }) => source as { note: string });
  assertEquals(sources.map(({ note }) => note), [note]);
});

Deno.test("a policy that is new, or the same already, asks for no indices", async () => {
  await using double = startClusterDouble();
  await apply(double.url, file("one"));
  await make(double, "a-1");
  await apply({ ...connectionTo(double.url), name: "other" }, file("one"));
  assertEquals(ism(double).filter((line) => line.startsWith("POST")), []);
});

Deno.test("a changed policy that manages no index gives no notice", async () => {
  await using double = startClusterDouble();
  await managing(double);
  assertEquals(outcome(await apply(double.url, file("two"))), ["reapplied", undefined, undefined]);
});

Deno.test("indices that cannot be counted are no failure where they are kept", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.includes("explain") ? new Response('{"error":"no"}', { status: 403 }) : undefined,
  });
  await managing(double, "a-1");
  const [done, note, error] = outcome(await apply(double.url, file("two")));
  assertEquals([done, error], ["reapplied", undefined]);
  assertEquals(
    note,
    "indices that it manages keep their version (their number is unknown: HTTP 403: no; " +
      "the user needs the right 'cluster:admin/opendistro/ism/managedindex/explain')",
  );
});

Deno.test("policy_changes: apply turns the indices of a changed policy to it", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1", "a-2");
  const report = await apply(applying(double), file("two"));
  const note = "2 indices change to it at the next run of their jobs";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
  assertEquals(ism(double), [
    "GET policies/p",
    "POST explain?size=1000&from=0",
    "PUT policies/p?if_seq_no=0&if_primary_term=1",
    "POST explain?size=1000&from=0",
    "POST change_policy/a-1,a-2",
  ]);
  const sent = double.requests.find(({ line }) => line.includes("change_policy"));
  assertEquals(sent?.body, '{"policy_id":"p"}');
  double.runPolicyJobs();
  assertEquals([await versionOf(double, "a-1"), await versionOf(double, "a-2")], [1, 1]);
  double.requests.length = 0;
  await apply(applying(double), file("two"));
  assertEquals(ism(double), []);
});

Deno.test("policy_changes: apply handles an envelope of a policy as a file", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1");
  const body = JSON.parse(file("two")["p-policy.json"]);
  const envelope = { method: "PUT", path: "/_plugins/_ism/policies/p", body };
  const report = await apply(applying(double), { "1.json": JSON.stringify(envelope) });
  const note =
    "replaced the policy that was there; 1 index changes to it at the next run of its job";
  assertEquals(outcome(report), ["applied", note, undefined]);
});

Deno.test("what the plugin refuses inside a success fails the file, and the next run goes on", async () => {
  let isRefusing = true;
  const reason = "Cannot change policy while transitioning to new state";
  await using double = startClusterDouble({
    intercept: (line) => {
      if (!isRefusing || !line.includes("change_policy")) return undefined;
      return Response.json({
        updated_indices: 1,
        failures: true,
        failed_indices: [{ index_name: "a-2", index_uuid: "u", reason }],
      });
    },
  });
  await managing(double, "a-1", "a-2");
  const failed = await apply(applying(double), file("two"));
  assertEquals(
    failed.error?.message,
    `the policy is written, but 1 of 2 indices did not change to it: 'a-2' (${reason})\n` +
      "  The next run continues",
  );
  isRefusing = false;
  const report = await apply(applying(double), file("two"));
  const note =
    "the live policy is the same already; 2 indices change to it at the next run of their jobs";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
});

for (
  const reason of [
    "This index already has a policy, use the update policy API to update index policies",
    "Matches restricted index pattern defined in the cluster setting",
  ]
) {
  Deno.test(`change_policy that is refused with '${reason}' is no success`, async () => {
    await using double = startClusterDouble({
      intercept: (line) => {
        if (!line.includes("change_policy")) return undefined;
        return Response.json({
          updated_indices: 0,
          failures: true,
          failed_indices: [{ index_name: "a-1", index_uuid: "u", reason }],
        });
      },
    });
    await managing(double, "a-1");
    const { error } = await apply(applying(double), file("two"));
    assertStringIncludes(
      error!.message,
      `1 of 1 index did not change to it: 'a-1' (${reason})`,
    );
  });
}

Deno.test("an index that left the policy meanwhile is no failure", async () => {
  await using double = startClusterDouble({
    intercept: (line) => {
      if (!line.includes("change_policy")) return undefined;
      const reason = "This index is not being managed";
      return Response.json({
        updated_indices: 1,
        failures: true,
        failed_indices: [{ index_name: "a-2", index_uuid: "u", reason }],
      });
    },
  });
  await managing(double, "a-1", "a-2");
  const note = "1 index changes to it at the next run of its job";
  assertEquals(outcome(await apply(applying(double), file("two"))), ["reapplied", note, undefined]);
});

Deno.test("an index that was deleted meanwhile has the others listed again", async () => {
  let isFirst = true;
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (!isFirst || !line.includes("change_policy")) return undefined;
      isFirst = false;
      await fetch(`${double.url}/a-1`, { method: "DELETE" });
      return undefined;
    },
  });
  await managing(double, "a-1", "a-2");
  const note = "1 index changes to it at the next run of its job";
  assertEquals(outcome(await apply(applying(double), file("two"))), ["reapplied", note, undefined]);
  assertEquals(ism(double).slice(-4), [
    "POST explain?size=1000&from=0",
    "POST change_policy/a-1,a-2",
    "POST explain?size=1000&from=0",
    "POST change_policy/a-2",
  ]);
});

Deno.test("a cluster that does not list indices fails where they are to be changed, before anything is sent", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.includes("explain") ? new Response('{"error":"no"}', { status: 403 }) : undefined,
  });
  await apply(double.url, file("one"));
  const report = await apply(applying(double), file("two"));
  assertMatch(
    report.error!.message,
    /The effect of the policy on its indices is unknown: HTTP 403/,
  );
  assertEquals(exitCodeOf(report.error!), 7);
  const { steps, notices } = await planned(applying(double), file("two"));
  assertEquals(steps.length, 1);
  assertMatch(notices[0]!.message, /unknown: HTTP 403.*: a run fails$/);
  assertEquals(ism(double).filter((line) => line.startsWith("PUT")).length, 1);
});

Deno.test("a run that ends between the policy and its indices is finished by the next one", async () => {
  let explained = 0;
  await using double = startClusterDouble({
    // The first is that of the dangers.
    intercept: (line) =>
      line.startsWith("POST /_plugins/_ism/explain") && ++explained === 2
        ? new Response("{}", { status: 500 })
        : undefined,
  });
  await managing(double, "a-1");
  const failed = await apply(applying(double), file("two"));
  assertStringIncludes(
    failed.error!.message,
    "the policy is written, but its indices cannot be listed",
  );
  const report = await apply(applying(double), file("two"));
  const note =
    "the live policy is the same already; 1 index changes to it at the next run of its job";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
  double.runPolicyJobs();
  assertEquals(await versionOf(double, "a-1"), 1);
});

Deno.test("indices whose state the policy lacks are named", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1");
  const report = await apply(applying(double), file("two", [{ name: "cold" }]));
  assertEquals(
    report.results[0]?.note,
    "1 index changes to it at the next run of its job; the policy lacks the state of 'a-1': " +
      "such a job fails, which 'GET /_plugins/_ism/explain' shows minutes later",
  );
});

Deno.test("as many requests are sent as the names of indices need", async () => {
  await using double = startClusterDouble();
  const names = Array.from({ length: 60 }, (_, index) => `a-${"x".repeat(100)}-${index}`);
  await managing(double, ...names);
  const report = await apply(applying(double), file("two"));
  assertEquals(report.error, undefined);
  const sent = ism(double).filter((line) => line.includes("change_policy"));
  assertEquals(sent.length, 3);
  for (const line of sent) assertEquals(line.length < 3100, true);
  const changed = sent.flatMap((line) => line.replace(/.*\//, "").split(","));
  assertEquals(changed.toSorted(), names.toSorted());
});

Deno.test("pages of managed indices are read to their end", async () => {
  const pages: string[] = [];
  await using double = startClusterDouble({
    intercept: (line) => {
      const from = /explain\?size=1000&from=(\d+)/.exec(line)?.[1];
      if (from === undefined) return undefined;
      pages.push(from);
      const size = Number(from) === 2000 ? 345 : 1000;
      const indices = Array.from({ length: size }, (_, index) => {
        const name = `a-${Number(from) + index}`;
        return [name, { index: name, policy_id: "p", policy_seq_no: 0, enabled: true }];
      });
      return Response.json({ ...Object.fromEntries(indices), total_managed_indices: 2345 });
    },
  });
  await managing(double);
  const report = await apply(double.url, file("two"));
  assertMatch(report.results[0]!.note!, /^2345 indices that it manages keep/);
  assertEquals(pages, ["0", "1000", "2000"]);
});

Deno.test("a run that has a policy delete indices at once wants to be agreed to, before anything is sent", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1", "a-2");
  const files = file("two", until("0ms"));
  const report = await apply(applying(double), files);
  assertEquals(report.error instanceof ConfirmationError, true);
  assertEquals(
    report.error?.message,
    "Nothing of 'logs' was applied: it wants '--yes'\n" +
      "logs/p-policy.json: Policy 'p' deletes 2 indices that it manages, as soon as their jobs run: " +
      "'a-1', 'a-2' (hot → gone)",
  );
  assertEquals(ism(double).filter((line) => !/^GET|explain/.test(line)), []);
  const agreed = await apply(applying(double), files, { yes: true });
  assertEquals(agreed.error, undefined);
  assertEquals(ism(double).at(-1), "POST change_policy/a-1,a-2");
});

Deno.test("a policy that deletes later, or that indices do not turn to, needs no agreement", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1");
  assertEquals((await apply(applying(double), file("two", until("30d")))).error, undefined);
  assertEquals((await apply(double.url, file("three", until("0ms")))).error, undefined);
});

Deno.test("plan lists the indices of a changed policy, and what would become of them", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1", "a-2");
  const files = file("two", until("0ms"));
  const { steps: [kept] } = await planned(double.url, files);
  assertEquals(kept?.consequences, [
    "2 indices that it manages keep the previous version; " +
    "with 'migrations.policy_changes: apply' the policy would reach:",
    "a-1 (0m old, in state 'hot'): would go on to 'gone' and be deleted at once",
    "a-2 (0m old, in state 'hot'): would go on to 'gone' and be deleted at once",
  ]);
  const { steps: [turned], dangers } = await planned(applying(double), files);
  assertEquals(
    turned?.requests.at(-1),
    'POST /_plugins/_ism/change_policy/a-1,a-2\n{"policy_id":"p"}',
  );
  assertEquals(turned?.consequences?.length, 2);
  assertEquals(dangers?.map(({ path }) => path), ["p-policy.json"]);
});

Deno.test("indices that the user may not see do not end the pages", async () => {
  // Each page of the 2,500 indices hides 900, and its total includes them.
  const hidden = 900;
  await using double = startClusterDouble({
    intercept: (line) => {
      const from = Number(/explain\?size=1000&from=(\d+)/.exec(line)?.[1] ?? NaN);
      if (isNaN(from)) return undefined;
      const size = Math.min(1000, 2500 - from);
      const left = Math.min(hidden, size);
      const indices = Array.from({ length: size - left }, (_, index) => {
        const name = `a-${from + index}`;
        return [name, { index: name, policy_id: "p", policy_seq_no: 0, enabled: true }];
      });
      const total_managed_indices = 2500 - left;
      return Response.json({ ...Object.fromEntries(indices), total_managed_indices });
    },
  });
  await managing(double);
  const report = await apply(double.url, file("two"));
  assertMatch(report.results[0]!.note!, /^200 indices that it manages keep/);
});

Deno.test("more indices than can be listed are said, and not changed", async () => {
  await using double = startClusterDouble({
    intercept: (line) => {
      const from = Number(/explain\?size=1000&from=(\d+)/.exec(line)?.[1] ?? NaN);
      if (isNaN(from)) return undefined;
      const indices = Array.from({ length: 1000 }, (_, index) => {
        const name = `a-${from + index}`;
        return [name, { index: name, policy_id: "p", policy_seq_no: 0, enabled: true }];
      });
      return Response.json({ ...Object.fromEntries(indices), total_managed_indices: 12_000 });
    },
  });
  await apply(double.url, file("one"));
  const report = await apply(applying(double), file("two"));
  assertMatch(report.error!.message, /it manages 12000 indices, of which only 10000 can be listed/);
  const { steps: [planning] } = await planned(double.url, file("three"));
  assertMatch(planning!.consequences![0]!, /^more than 10000 indices that it manages keep/);
  const kept = await apply(double.url, file("three"));
  assertMatch(kept.results[0]!.note!, /^more than 10000 indices that it manages keep/);
  assertEquals(ism(double).filter((line) => line.includes("change_policy")), []);
});

Deno.test("a cluster without the plugin says so, whatever policy_changes says", async () => {
  await using double = startClusterDouble({ ism: false });
  const report = await apply(applying(double), file("one"));
  assertMatch(report.error!.message, /has no index state management: install the plugin/);
});

Deno.test("what is the same already and reaches its indices only now wants to be agreed to as well", async () => {
  let explained = 0;
  await using double = startClusterDouble({
    intercept: (line) =>
      line.startsWith("POST /_plugins/_ism/explain") && ++explained === 2
        ? new Response("{}", { status: 500 })
        : undefined,
  });
  await managing(double, "a-1");
  const files = file("two", until("0ms"));
  await apply(applying(double), files, { yes: true });
  const refused = await apply(applying(double), files);
  assertEquals(refused.error instanceof ConfirmationError, true);
  const agreed = await apply(applying(double), files, { yes: true });
  assertEquals(agreed.error, undefined);
  double.runPolicyJobs();
  assertEquals(await versionOf(double, "a-1"), 1);
});

Deno.test("indices of a policy that was deleted turn to it when it comes again, with the same question", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1");
  const gone = () => fetch(`${double.url}/_plugins/_ism/policies/p`, { method: "DELETE" });
  await (await gone()).body?.cancel();
  const refused = await apply(applying(double), file("two", until("0ms")));
  assertEquals(refused.error instanceof ConfirmationError, true);
  const report = await apply(applying(double), file("two", until("30d")));
  const note = "1 index changes to it at the next run of its job";
  assertEquals(outcome(report), ["reapplied", note, undefined]);
});

Deno.test("policy_changes: apply deletes no index that comes under the policy after it was asked", async () => {
  await using double = startClusterDouble();
  await apply(double.url, file("one", until("999d")));
  double.runPolicyJobs();
  await make(double, "b-1");
  const adding = {
    method: "POST",
    path: "/_plugins/_ism/add/b-*",
    body: { policy_id: "p" },
  };
  const files = { "01-add.json": JSON.stringify(adding), ...file("two", until("0ms")) };
  const report = await apply(applying(double), files);
  assertEquals(
    report.error?.message,
    "the policy is written, but it would or may delete 1 index that this run was not asked about: " +
      "'b-1' (hot → gone)\n  The next run continues, and asks for confirmation",
  );
  assertEquals(ism(double).filter((line) => line.includes("change_policy")), []);
  const refused = await apply(applying(double), files);
  assertEquals(refused.error instanceof ConfirmationError, true);
  const agreed = await apply(applying(double), files, { yes: true });
  assertEquals(agreed.error, undefined);
  assertEquals(ism(double).at(-1), "POST change_policy/b-1");
});

Deno.test("a confirmation holds for the listed indices, not for one that comes later", async () => {
  let explained = 0;
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (line.startsWith("POST /_plugins/_ism/explain") && ++explained === 2) {
        await make(double, "a-2");
      }
      return undefined;
    },
  });
  await managing(double, "a-1");
  const report = await apply(applying(double), file("two", until("0ms")), { yes: true });
  assertMatch(report.error!.message, /may delete 1 index that this run was not asked about: 'a-2'/);
  assertEquals(ism(double).filter((line) => line.includes("change_policy")), []);
});

Deno.test("a policy that was deleted reaches its indices when a file without a record makes it again", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1");
  const gone = await fetch(`${double.url}/_plugins/_ism/policies/p`, { method: "DELETE" });
  await gone.body?.cancel();
  const connection = { ...applying(double), name: "other" };
  const report = await apply(connection, file("two", until("0ms")), { yes: true });
  const note = "1 index changes to it at the next run of its job";
  assertEquals(outcome(report), ["applied", note, undefined]);
  assertEquals(ism(double).at(-1), "POST change_policy/a-1");
});

for (
  const answer of [
    { updated_indices: 0, failures: false, failed_indices: [] },
    { updated_indices: 1, failures: false, failed_indices: [] },
    { updated_indices: 2, failures: true, failed_indices: [] },
  ]
) {
  Deno.test(`change_policy that answers ${JSON.stringify(answer)} for two is no success`, async () => {
    await using double = startClusterDouble({
      intercept: (line) => line.includes("change_policy") ? Response.json(answer) : undefined,
    });
    await managing(double, "a-1", "a-2");
    const report = await apply(applying(double), file("two"));
    assertMatch(report.error!.message, /changed \d of 2 indices to it, and gives no reason/);
  });
}

Deno.test("an index that was sent to a state by hand is predict by that state", async () => {
  await using double = startClusterDouble();
  await managing(double, "a-1");
  await apply(double.url, file("two", until("99d")));
  const sent = await fetch(`${double.url}/_plugins/_ism/change_policy/a-1`, {
    method: "POST",
    body: '{"policy_id":"p","state":"gone"}',
  });
  await sent.body?.cancel();
  double.runPolicyJobs();
  const files = file("three", until("99d"));
  const refused = await apply(applying(double), files);
  assertStringIncludes(
    refused.error!.message,
    "Policy 'p' deletes 1 index that it manages, as soon as its job runs: 'a-1' (gone)",
  );
  const { steps: [step] } = await planned(applying(double), files);
  assertEquals(step?.consequences, [
    "a-1 (0m old, on its way to state 'gone'): would be deleted at once",
  ]);
});
