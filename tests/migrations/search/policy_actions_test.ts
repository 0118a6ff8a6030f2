import { assertEquals } from "@std/assert";
import { isSame } from "../../../src/migrations/search/json/compare.ts";
import { policyForm } from "../../../src/migrations/search/kinds/policies.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { POLICY_ACTIONS, policyWith } from "./policy_actions.ts";
import { apply, connectionTo } from "./runner.ts";

const policyText = (action: Record<string, unknown>) =>
  JSON.stringify({ policy: policyWith(action) });

for (const { name, sent, live } of POLICY_ACTIONS) {
  Deno.test(`policyForm() of ${name} is the same when it is sent and when it is read`, () => {
    const [wanted, read] = [sent, live].map((action) => policyForm(policyWith(action)));
    assertEquals(isSame(wanted, read), true, JSON.stringify([wanted, read]));
  });
}

Deno.test("policyForm() tells apart every value that an action can have otherwise", () => {
  const changes: [name: string, change: (text: string) => string][] = [
    ["allocation", (text) => text.replace('"include":{}', '"include":{"box":"x"}')],
    ["notification to a channel", (text) => text.replace('"mustache"', '"other"')],
    ["notification to a webhook", (text) => text.replace("-1", "80")],
    ["rollup", (text) => text.replace('"target_field":"at"', '"target_field":"other"')],
    ["rollup", (text) => text.replace('"UTC"', '"Europe/Zurich"')],
    ["shrink with a name and aliases", (text) => text.replace("null", "true")],
    ["transform of everything", (text) => text.replace('"boost":1', '"boost":2')],
    [
      "transform of a range",
      (text) => text.replace('"include_lower":true', '"include_lower":false'),
    ],
    ["transform of a bool", (text) => text.replace('"to":9', '"to":8')],
  ];
  for (const [name, change] of changes) {
    const { sent, live } = POLICY_ACTIONS.find((action) => action.name === name)!;
    const text = JSON.stringify(live);
    const changed = change(text);
    assertEquals(changed === text, false, name);
    const [wanted, read] = [sent, JSON.parse(changed)].map((action) =>
      policyForm(policyWith(action))
    );
    assertEquals(isSame(wanted, read), false, changed);
  }
});

Deno.test("policyForm() leaves out what later versions of the plugin add or drop", () => {
  const copy = { repository: "r", snapshot: "s" };
  const added = { include_aliases: false, ignore_index_settings: "", delete_original_index: false };
  const pairs: [sent: Record<string, unknown>, live: Record<string, unknown>][] = [
    // `populateAction` of 3.4.0.0 and 3.7.0.0.
    [{ rollover: { prevent_empty_rollover: false } }, { rollover: { copy_alias: false } }],
    [{ convert_index_to_remote: copy }, { convert_index_to_remote: { ...copy, ...added } }],
  ];
  for (const [sent, live] of pairs) {
    assertEquals(policyForm(policyWith(sent)), policyForm(policyWith(live)));
  }
});

Deno.test("policyForm() never shapes what is the user's own", () => {
  const query = (data_selection_query: unknown) => ({
    transform: { ism_transform: { target_index: "t", data_selection_query } },
  });
  const total = (aggregations: unknown) => ({
    transform: { ism_transform: { target_index: "t", aggregations } },
  });
  const box = (require: unknown) => ({ allocation: { require } });
  const pairs: [unknown, unknown][] = [
    [query({ match: { term: "a" } }), query({ match: { term: "b" } })],
    [query({ term: { term: "a" } }), query({ term: { term: "b" } })],
    [query({ match: { range: "a" } }), query({ match: { range: "b" } })],
    [query({ match: { boost: 1 } }), query({ match: {} })],
    [query({ match: { actions: "a" } }), query({ match: { actions: "b" } })],
    [
      query({ bool: { must: [{ match: { term: "a" } }] } }),
      query({ bool: { must: [{ match: { term: "b" } }] } }),
    ],
    [total({ actions: { sum: { field: "a" } } }), total({ actions: { sum: { field: "b" } } })],
    [total({ description: "" }), total({})],
    [total({ a: { terms: { size: "10K" } } }), total({ a: { terms: { size: "10k" } } })],
    [box({ size: "10G" }), box({ size: "10gb" })],
    [
      { notification: { message_template: { source: "x", params: { port: -1 } } } },
      { notification: { message_template: { source: "x", params: {} } } },
    ],
  ];
  for (const [one, other] of pairs) {
    const [a, b] = [one, other].map((action) => policyForm(policyWith(action as never)));
    assertEquals(isSame(a, b), false, JSON.stringify([one, other]));
  }
});

Deno.test("policyForm() compares times and sizes whatever their unit", () => {
  const policy = (age: string, size: string) => ({
    states: [{
      name: "a",
      actions: [{ rollover: { min_size: size } }],
      transitions: [{ state_name: "b", conditions: { min_index_age: age } }],
    }],
  });
  assertEquals(policyForm(policy("7d", "1gb")), policyForm(policy("168h", "1024MB")));
  assertEquals(isSame(policyForm(policy("7d", "1gb")), policyForm(policy("169h", "1gb"))), false);
});

Deno.test("the cluster double answers with what the plugin adds to each action", async () => {
  await using double = startClusterDouble();
  for (const [index, { name, sent, live }] of POLICY_ACTIONS.entries()) {
    const url = `${double.url}/_plugins/_ism/policies/p${index}`;
    await (await fetch(url, { method: "PUT", body: policyText(sent) })).body?.cancel();
    const { policy } = await (await fetch(url)).json();
    const retry = { count: 3, backoff: "exponential", delay: "1m" };
    assertEquals(policy.states[0].actions, [{ retry, ...live }], name);
  }
});

Deno.test("a policy whose answer is lost is written once, and is not taken for a foreign change", async () => {
  for (const { name, sent } of POLICY_ACTIONS) {
    let lost = 0;
    await using double = startClusterDouble({
      loseAnswer: (line) => line.startsWith("PUT /_plugins/_ism") && lost++ === 0,
    });
    const files = { "p-policy.json": policyText(sent) };
    const { results, error } = await apply(connectionTo(double.url), files);
    assertEquals(error, undefined, name);
    assertEquals(results[0]?.note, "the live policy is the same already", name);
    const live = await (await fetch(`${double.url}/_plugins/_ism/policies/p`)).json();
    assertEquals([live._version, lost], [1, 2], name);
  }
});
