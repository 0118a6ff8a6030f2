import { assertEquals } from "@std/assert";
import { isSame, isSubset } from "../../../src/migrations/search/json/compare.ts";
import { policyForm } from "../../../src/migrations/search/kinds/policies.ts";
import { readRecording } from "../../servers/recordings.ts";

const sent = {
  description: "full",
  default_state: "hot",
  states: [{
    name: "hot",
    actions: [
      { retry: { count: 9 }, rollover: { min_size: "50GB", min_doc_count: 5, copy_alias: true } },
      {
        timeout: "1h",
        retry: { count: 2, backoff: "Linear", delay: "5m" },
        alias: { actions: [{ add: { alias: "al" } }] },
      },
      { shrink: { num_new_shards: 1 } },
    ],
    transitions: [{ state_name: "gone", conditions: { min_index_age: "24h" } }],
  }, { name: "gone", actions: [{ delete: {} }], transitions: [] }],
  error_notification: {
    destination: { slack: { url: "http://127.0.0.1:1/x" } },
    message_template: { source: "failed {{ctx.index}}" },
  },
  ism_template: { index_patterns: ["full-*"] },
};

/** As the plugin gives it back (recorded, 2.19.4 and 3.4.0). */
const live = {
  policy_id: "full",
  description: "full",
  last_updated_time: 1795285869431,
  schema_version: 21,
  user: { name: "admin", backend_roles: ["admin"] },
  error_notification: {
    destination: { slack: { url: "http://127.0.0.1:1/x" } },
    message_template: { source: "failed {{ctx.index}}", lang: "mustache" },
  },
  default_state: "hot",
  states: [{
    name: "hot",
    actions: [
      {
        retry: { count: 9, backoff: "exponential", delay: "1m" },
        rollover: { min_size: "50gb", min_doc_count: 5, copy_alias: true },
      },
      {
        timeout: "1h",
        retry: { count: 2, backoff: "linear", delay: "5m" },
        alias: { actions: [{ add: { aliases: ["al"] } }] },
      },
      {
        retry: { count: 3, backoff: "exponential", delay: "1m" },
        shrink: { num_new_shards: 1, switch_aliases: false },
      },
    ],
    transitions: [{ state_name: "gone", conditions: { min_index_age: "24h" } }],
  }, {
    name: "gone",
    actions: [{ retry: { count: 3, backoff: "exponential", delay: "1m" }, delete: {} }],
    transitions: [],
  }],
  ism_template: [{ index_patterns: ["full-*"], priority: 0, last_updated_time: 1577990761311 }],
};

Deno.test("policyForm makes the same of what was sent and what a cluster gives back", () => {
  assertEquals(policyForm(sent), policyForm(live));
  assertEquals(isSame(policyForm(sent), policyForm(live)), true);
});

Deno.test("policyForm reads sizes with fractions, times of 0 and templates without options", () => {
  const policy = (action: object, options: object) => ({
    states: [{ name: "hot", actions: [action], transitions: [] }],
    error_notification: { message_template: { source: "a", ...options } },
  });
  const rollover = { min_size: "1610612736b", min_rollover_age: "0s" };
  assertEquals(
    policyForm(
      policy({ rollover: { min_size: "1.5GB", min_rollover_age: "0" } }, { options: {} }),
    ),
    policyForm(policy({ rollover }, {})),
  );
  const options = { options: { content_type: "text/plain" } };
  assertEquals(isSame(policyForm(policy({}, options)), policyForm(policy({}, {}))), false);
});

Deno.test("policyForm tells apart what the cluster does not fill in", () => {
  const changes: Record<string, unknown>[] = [
    { ism_template: null },
    { ism_template: [{ index_patterns: ["full-*"], priority: 1 }] },
    { error_notification: null },
    { states: live.states.slice(1) },
    { states: [{ ...live.states[0], transitions: [] }, live.states[1]] },
    { states: [{ ...live.states[0], actions: live.states[0]!.actions.slice(1) }, live.states[1]] },
    { default_state: "gone" },
    { description: "other" },
  ];
  for (const change of changes) {
    const other = policyForm({ ...live, ...change });
    assertEquals(isSame(policyForm(sent), other), false, JSON.stringify(change));
  }
});

Deno.test("policyForm ignores members without a meaning", () => {
  const bare = { description: "d", default_state: "hot", states: [{ name: "hot" }] };
  const table: Record<string, unknown>[] = [
    { ism_template: null },
    { ism_template: [] },
    { error_notification: null },
    { states: [{ name: "hot", actions: [], transitions: [] }] },
    { policy_id: "x", last_updated_time: 1, schema_version: 3, user: null },
  ];
  for (const more of table) {
    assertEquals(policyForm({ ...bare, ...more }), policyForm(bare), JSON.stringify(more));
  }
});

Deno.test("a removed part of a policy is a difference in one direction only, and still one", () => {
  const { ism_template: _, ...removed } = sent;
  assertEquals(isSubset(policyForm(removed), policyForm(live)), true);
  assertEquals(isSame(policyForm(removed), policyForm(live)), false);
});

Deno.test("policyForm makes the same of every policy that was recorded when it was put and read", async () => {
  let compared = 0;
  const puts = new Map<string, unknown>();
  for (const exchange of await readRecording("opensearch-2.19.4-ism.txt")) {
    const { method, path, body, status, answer } = exchange;
    const name = /^\/_plugins\/_ism\/policies\/([^/?]+)/.exec(path)?.[1];
    if (name === undefined) continue;
    if (method === "PUT" && status < 300) puts.set(name, JSON.parse(body!).policy);
    if (method !== "GET" || status !== 200 || !puts.has(name)) continue;
    assertEquals(policyForm(JSON.parse(answer!).policy), policyForm(puts.get(name)), path);
    compared++;
  }
  assertEquals(compared > 1, true);
});

Deno.test("policyForm takes only sizes and times for such", () => {
  const of = (name: string, source: string, box: string) => ({
    default_state: name,
    states: [{
      name,
      actions: [
        { notification: { destination: {}, message_template: { source } } },
        { allocation: { require: { box } } },
      ],
      transitions: [{ state_name: name, conditions: { min_size: "5GB" } }],
    }],
  });
  const state = JSON.stringify(policyForm(of("2B", "5 ERRORS", "10A")));
  for (const text of ['"state_name":"2B"', '"5 ERRORS"', '"10A"', '"5gb"']) {
    assertEquals(state.includes(text), true, text);
  }
});
