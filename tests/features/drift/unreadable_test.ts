/** Reads that `drift` needs and does not get: no comparison is a success without them. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ConnectionError } from "../../../src/migrations/runner/mod.ts";
import { workspace } from "../../e2e/command_line.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, planned, type Tree } from "../../migrations/search/runner.ts";
import { drifted } from "./support.ts";

const FORBIDDEN = {
  error: {
    type: "security_exception",
    reason: "no permissions for [cluster:monitor/state] and User [name=reader]",
  },
  status: 403,
};
const BROKEN = { error: { type: "illegal_state_exception", reason: "broken" }, status: 500 };
const INDEX = JSON.stringify({
  mappings: { properties: { host: { type: "keyword" } } },
  aliases: { people: {} },
});
const TREE: Tree = {
  "1/logs-template.json": '{ "index_patterns": ["logs-*"] }',
  "2/users-index.json": INDEX,
};

/** The findings of `drift` if the cluster answers some requests differently after the files were applied. */
async function driftWith(
  answers: Readonly<Record<string, () => Response>>,
  changes: readonly (readonly [method: string, path: string, body?: string])[] = [],
) {
  let isApplied = false;
  const double = startClusterDouble({
    intercept: (line) =>
      isApplied
        ? Object.entries(answers).find(([start]) => line.startsWith(start))?.[1]()
        : undefined,
  });
  try {
    assertEquals((await apply(double.url, TREE)).error, undefined);
    for (const [method, path, body] of changes) {
      const headers = { "Content-Type": "application/json" };
      const { ok, text } = await fetch(double.url + path, { method, headers, ...body && { body } })
        .then(async (answer) => ({ ok: answer.ok, text: await answer.text() }));
      assertEquals(ok, true, text);
    }
    isApplied = true;
    return await drifted(double.url, TREE).catch((error: Error) => error);
  } finally {
    await double.stop();
  }
}

const ANSWERS: Readonly<Record<string, () => Response>> = {
  "HTTP 400": () => Response.json({ error: "bad" }, { status: 400 }),
  "HTTP 403": () => Response.json(FORBIDDEN, { status: 403 }),
  "HTTP 500": () => Response.json(BROKEN, { status: 500 }),
  "HTTP 200": () => new Response("<html>Log in</html>"),
};

for (const [status, answer] of Object.entries(ANSWERS)) {
  Deno.test(`drift of a resource whose read is answered by ${status} is a failure`, async () => {
    const drift = await driftWith({ "GET /_index_template/logs": answer });
    assertEquals(drift instanceof ConnectionError, true, Deno.inspect(drift));
    assertMatch((drift as Error).message, new RegExp(`${status}|no permissions for`));
    assertMatch((drift as Error).message, /^1\/logs-template\.json: index_template logs: /);
  });
}

const MOVED = [["DELETE", "/users/_alias/people"]] as const;
const ADDED = [[
  "PUT",
  "/users/_mapping",
  '{"properties":{"host":{"type":"keyword","ignore_above":5}}}',
]] as const;

for (const status of ["HTTP 403", "HTTP 500"]) {
  Deno.test(`drift of an alias where the state of the cluster is answered by ${status} is a failure`, async () => {
    const drift = await driftWith({ "GET /_cluster/state/metadata": ANSWERS[status]! }, MOVED);
    assertEquals(drift instanceof ConnectionError, true, Deno.inspect(drift));
  });
  Deno.test(`drift of a mapping where its simulation is answered by ${status} is a failure`, async () => {
    const drift = await driftWith(
      { "POST /_index_template/_simulate_index": ANSWERS[status]! },
      ADDED,
    );
    assertEquals(drift instanceof ConnectionError, true, Deno.inspect(drift));
  });
}

Deno.test("drift of a policy whose plugin was removed differs", async () => {
  let isRemoved = false;
  const none = { error: "no handler found for uri [/_plugins/_ism/policies/p] and method [GET]" };
  await using double = startClusterDouble({
    intercept: (line) =>
      isRemoved && /_ism\//.test(line) ? Response.json(none, { status: 400 }) : undefined,
  });
  const tree = {
    "p-policy.json": '{"policy":{"description":"d","default_state":"a","states":[{"name":"a"}]}}',
  };
  assertEquals((await apply(double.url, tree)).error, undefined);
  isRemoved = true;
  const [found] = await drifted(double.url, tree);
  assertEquals(found?.differences.length, 1);
  assertMatch(found!.note!, /cannot be compared: HTTP 400: no handler found/);
});

Deno.test("plan with a resource whose read is answered by HTTP 500 goes on, and says so", async () => {
  const answers = { "GET /_index_template/other": ANSWERS["HTTP 500"]! };
  await using double = startClusterDouble({
    intercept: (line) => Object.entries(answers).find(([start]) => line.startsWith(start))?.[1](),
  });
  const { steps: [first] } = await planned(double.url, {
    "other-template.json": '{ "index_patterns": ["o-*"] }',
  });
  assertMatch(first!.note!, /cannot be compared: HTTP 500/);
});

Deno.test("plan shows that an alias has moved, also where it cannot read the state of the cluster", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.startsWith("GET /_cluster/state/metadata") ? ANSWERS["HTTP 403"]!() : undefined,
  });
  assertEquals((await apply(double.url, TREE)).error, undefined);
  await (await fetch(`${double.url}/users/_alias/people`, { method: "DELETE" })).text();
  const { steps: [step] } = await planned(double.url, { "2/users-index.json": `${INDEX}\n` });
  assertEquals(step!.differences!.map(({ path }) => path), ["aliases.people"]);
});

Deno.test("drift and plan go on where one file may not be read, name it, and exit with 7", async () => {
  let isForbidden = false;
  await using double = startClusterDouble({
    intercept: (line) =>
      isForbidden && line.startsWith("GET /_component_template/")
        ? ANSWERS["HTTP 403"]!()
        : undefined,
  });
  await using space = await workspace({
    "config/application.yml": `search:\n  - name: logs\n    hosts: [${double.url}]\n` +
      "    migrations: { enabled: true }\n",
    "migrations/logs/1-base-component.json": '{"template":{}}',
    "migrations/logs/2-logs-template.json": '{"index_patterns":["logs-*"]}',
  });
  assertEquals((await space.run("-m", "search")).code, 0);
  await (await fetch(`${double.url}/_index_template/2-logs`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: '{"index_patterns":["x-*"]}',
  })).body?.cancel();
  isForbidden = true;
  const unread = /error: logs: 1-base-component\.json: .*no permissions/;

  const drift = await space.run("drift", "-m", "search");
  assertEquals(drift.code, 7);
  assertStringIncludes(drift.stdout, "logs: 1 differ\n  index_template 2-logs");
  assertMatch(drift.stderr, unread);
  const github = await space.run("drift", "-m", "search", "--format", "github");
  assertEquals(github.code, 7);
  assertMatch(github.stdout, /^::error .*index_template 2-logs differs in 'index_patterns/m);
  assertMatch(github.stdout, /^::error .*1-base-component\.json: .*no permissions/m);

  await space.write("migrations/logs/1-base-component.json", '{"template":{"settings":{}}}');
  await space.write("migrations/logs/2-logs-template.json", '{"index_patterns":["y-*"]}');
  const plan = await space.run("plan", "-m", "search");
  assertEquals(plan.code, 7);
  assertMatch(plan.stderr, unread);
  assertStringIncludes(plan.stdout, "logs: 2 to apply\n  1-base-component.json");
  assertStringIncludes(plan.stdout, "# cannot be compared: ");
  assertStringIncludes(plan.stdout, "@ index_patterns");
});
