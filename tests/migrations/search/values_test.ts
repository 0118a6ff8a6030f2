import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import fc from "fast-check";
import {
  InterruptedError,
  MigrationFailedError,
  type RunEvent,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import { hexDigest } from "../../../src/text/mod.ts";
import { withValues } from "../../../src/migrations/search/files/placeholders.ts";
import { reindexing } from "../../features/reindex/support.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { ask, clusterTest, ELASTICSEARCH_9, PLAIN, PLAIN_CLUSTERS } from "../../servers/real.ts";
import { filesOf } from "../runner/memory.ts";
import { declared, type Values } from "./placeholder_values.ts";
import { apply, connectionTo, planned, recorded, resolved, standing } from "./runner.ts";
import { drifted } from "../../features/drift/support.ts";

const TEMPLATE = "1/logs-template.json";
const template = (more = "") =>
  `{"index_patterns":["\${env}-*"],"template":{"settings":{"number_of_replicas":"\${replicas}"}}${more}}`;
const POST = "2.json";
const post = '{"method":"POST","path":"/orders/_doc","body":{"env":"${env}"}}';
const VALUES = { replicas: 2, env: "prod", api_token: "first-token" };

const using = (url: string, values?: Values, more = {}) => ({
  ...connectionTo(url),
  ...(values && { placeholders: declared(values) }),
  ...more,
});
const outcomes = ({ results }: RunReport) => results.map(({ outcome }) => outcome);
const bodies = ({ requests }: ClusterDouble, line: string) =>
  requests.filter((request) => request.line === line).map(({ body }) => body);
const recordOf = ({ documents }: ClusterDouble, path: string) =>
  documents.indices.get("framework_migrations")?.documents.get(`logs/${path}`)?.source as
    | Record<string, unknown>
    | undefined;
const states = async (...args: Parameters<typeof standing>) =>
  (await standing(...args)).files.map(({ state }) => state);

/** A run, and what it tells of files. */
async function run(
  connection: ReturnType<typeof using>,
  tree: Record<string, string>,
): Promise<RunReport & { readonly notices: readonly string[] }> {
  const notices: string[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type === "notice") notices.push(event.message);
  };
  return { ...await apply(connection, tree, { onEvent }), notices };
}

function ordersTaken(options: Parameters<typeof startClusterDouble>[0] = {}): ClusterDouble {
  return startClusterDouble({
    intercept: (line) =>
      line === "POST /orders/_doc"
        ? Response.json({ result: "created", _id: "1" }, { status: 201 })
        : undefined,
    ...options,
  });
}

Deno.test("a file with placeholders is applied again when a value that it uses has changed", async () => {
  await using double = startClusterDouble();
  const tree = { [TEMPLATE]: template(), "2/other-template.json": '{"index_patterns":["x-*"]}' };
  const first = await run(using(double.url, VALUES), tree);
  assertEquals([outcomes(first), first.notices], [["applied", "applied"], []]);
  assertEquals(bodies(double, "PUT /_index_template/logs"), [
    '{"index_patterns":["prod-*"],"template":{"settings":{"number_of_replicas":2}}}',
  ]);
  assertEquals(recordOf(double, TEMPLATE)?.content_hash, await hexDigest(encode(template())));
  assertMatch(String(recordOf(double, TEMPLATE)?.values_hash), /^[0-9a-f]{64}$/);
  assertEquals(recordOf(double, "2/other-template.json")?.values_hash, undefined);

  const unchanged = await run(using(double.url, { ...VALUES, unused: 1 }), tree);
  assertEquals([outcomes(unchanged), unchanged.requests], [["skipped", "skipped"], 1]);

  const changed = using(double.url, { ...VALUES, replicas: 3 });
  assertEquals(await states(changed, tree), ["changed", "applied"]);
  const { steps, notices } = await planned(changed, tree);
  assertEquals(steps.map(({ file }) => file), [TEMPLATE]);
  assertStringIncludes(steps[0]?.requests[0] ?? "", '"number_of_replicas":3');
  const why =
    "logs is sent again: the values of its placeholders ('${env}', '${replicas}') were changed";
  assertEquals(notices.map(({ message }) => message), [why]);
  const again = await run(changed, tree);
  assertEquals([outcomes(again), again.notices], [["reapplied", "skipped"], [why]]);
  assertEquals((await run(changed, tree)).requests, 1);
  assertEquals(await drifted(changed, tree), []);
});

Deno.test("a raw POST is sent again with other values, and says why", async () => {
  await using double = ordersTaken();
  await run(using(double.url, VALUES), { [POST]: post });
  const { notices, results } = await run(using(double.url, { ...VALUES, env: "test" }), {
    [POST]: post,
  });
  assertEquals(results[0]?.outcome, "reapplied");
  assertEquals(bodies(double, "POST /orders/_doc"), ['{"env":"prod"}', '{"env":"test"}']);
  assertEquals(notices, [
    "POST /orders/_doc is sent again: the values of its placeholders ('${env}') were changed",
  ]);
});

Deno.test("on_change: fail refuses other values, and baseline takes them over", async () => {
  await using double = startClusterDouble();
  const tree = { [TEMPLATE]: template() };
  const fail = { onChange: "fail" };
  await run(using(double.url, VALUES, fail), tree);
  const changed = using(double.url, { ...VALUES, replicas: 3 }, fail);
  const { error } = await run(changed, tree);
  assertInstanceOf(error, MigrationFailedError);
  assertMatch(
    error.message,
    /^Cannot apply '1\/logs-template\.json': the values of its placeholders \('\$\{env\}', '\$\{replicas\}'\) were changed after it had been applied \(2/,
  );
  assertStringIncludes(error.message, `baseline --changed ${TEMPLATE}`);
  assertEquals(await recorded(changed, tree, { changed: TEMPLATE }), [TEMPLATE]);
  assertEquals(outcomes(await run(changed, tree)), ["skipped"]);
  assertEquals(await recorded(changed, tree, { changed: TEMPLATE }), []);
});

Deno.test("a file that was applied before its placeholders were declared is applied once more", async () => {
  await using double = startClusterDouble();
  const tree = {
    "a.json": '{"method":"PUT","path":"/_index_template/a","body":{"index_patterns":["${env}-a"]}}',
    "b.json": '{"method":"PUT","path":"/_index_template/b","body":{"index_patterns":["b"]}}',
    "c.json":
      '{"method":"PUT","path":"/_index_template/c","body":{"index_patterns":["c"],"_meta":{"a":"$${env}"}}}',
  };
  await run(using(double.url), tree);
  const declaredNow = using(double.url, { env: "prod" });
  const { notices, ...report } = await run(declaredNow, tree);
  assertEquals(outcomes(report), ["reapplied", "skipped", "reapplied"]);
  assertEquals(
    notices[0],
    "PUT /_index_template/a is sent again: its placeholders ('${env}') got their values",
  );
  assertEquals(outcomes(await run(declaredNow, tree)), ["skipped", "skipped", "skipped"]);
  const undeclared = await run(using(double.url), tree);
  assertEquals(outcomes(undeclared), ["reapplied", "skipped", "reapplied"]);
  assertStringIncludes(undeclared.notices[0] ?? "", "were taken out of the configuration");
});

Deno.test("a later file for the same resource follows one whose values have changed", async () => {
  await using double = startClusterDouble();
  const tree = {
    [TEMPLATE]: template(),
    "2/logs-template.json": '{"index_patterns":["x-*"]}',
  };
  await run(using(double.url, VALUES), tree);
  const report = await run(using(double.url, { ...VALUES, replicas: 0 }), tree);
  assertEquals(outcomes(report), ["reapplied", "reapplied"]);
});

const TOKEN = "3-hook.json";
const hook =
  '{"method":"POST","path":"/orders/_doc","body":{"token":"${api_token}","env":"${env}"}}';

Deno.test("a secret that has changed does not repeat a request, and is reported in each run", async () => {
  await using double = ordersTaken();
  const tree = { [TOKEN]: hook };
  await run(using(double.url, VALUES), tree);
  const rotated = using(double.url, { ...VALUES, api_token: "second-token" });
  const notice = "The value of '${api_token}' has changed since it was applied, which is no " +
    "reason to apply it again: 'resolve 3-hook.json --retry' lets the next run do so, " +
    "'baseline --changed 3-hook.json' records that it is so already";
  for (let i = 0; i < 2; i++) {
    const { notices, ...report } = await run(rotated, tree);
    assertEquals([outcomes(report), notices, report.requests], [["skipped"], [notice], 1]);
  }
  assertEquals((await planned(rotated, tree)).notices.map(({ message }) => message), [notice]);
  assertEquals(await states(rotated, tree), ["applied"]);
  // Also beside a file that is applied.
  const both = { ...tree, "4.json": post };
  const beside = await run(rotated, both);
  assertEquals([outcomes(beside), beside.notices], [["skipped", "applied"], [notice]]);

  assertEquals(await resolved(rotated, tree, TOKEN, "retry"), {
    file: TOKEN,
    known: "it was applied with another value of a secret",
    isPending: true,
  });
  assertEquals(await states(rotated, both), ["changed", "applied"]);
  const { notices, ...report } = await run(rotated, tree);
  assertEquals([outcomes(report), notices], [["reapplied"], [
    "The value of '${api_token}' has changed: it is applied again",
  ]]);
  assertEquals(bodies(double, "POST /orders/_doc").at(-1), '{"token":"second-token","env":"prod"}');
  const after = await run(rotated, tree);
  assertEquals([outcomes(after), after.notices], [["skipped"], []]);
  assertEquals(await resolved(rotated, tree, TOKEN, "retry"), undefined);
});

Deno.test("baseline records that a secret is so already", async () => {
  await using double = ordersTaken();
  const tree = { [TOKEN]: hook };
  await run(using(double.url, VALUES), tree);
  const rotated = using(double.url, { ...VALUES, api_token: "second-token" });
  assertEquals(await recorded(rotated, tree, { changed: TOKEN }), [TOKEN]);
  assertEquals((await run(rotated, tree)).notices, []);
});

Deno.test("a run that was cut off with other values is not taken for one with these", async () => {
  let isLost = true;
  await using double = startClusterDouble({
    loseAnswer: (line) => isLost && line === "POST /orders/_doc",
  });
  const tree = { [POST]: post };
  const test = using(double.url, { ...VALUES, env: "test" });
  assert((await run(using(double.url, VALUES), tree)).error);
  isLost = false;
  assertInstanceOf((await run(test, tree)).error, InterruptedError);
  // The record has the values of the time at which the file was applied.
  assertEquals((await resolved(test, tree, POST, "applied"))?.isPending, true);
  const prodAgain = await run(using(double.url, VALUES), tree);
  assertEquals([outcomes(prodAgain), prodAgain.notices], [["skipped"], []]);
  assertEquals(outcomes(await run(test, tree)), ["reapplied"]);
});

Deno.test("a continued task is recorded with the secrets that began it", async () => {
  const { promise: followed, resolve: follow } = Promise.withResolvers<void>();
  await using double = startClusterDouble({
    holdTasks: true,
    intercept: (line) => {
      if (line.startsWith("GET /_tasks/")) follow();
      return undefined;
    },
  });
  const tree = {
    "0.json": '{"method":"PUT","path":"/one/_doc/1","body":{}}',
    "1.json":
      '{"method":"POST","path":"/_reindex?wait_for_completion=false","body":{"source":{"index":"one"},"dest":{"index":"two-${api_token}"}}}',
  };
  const stop = new AbortController();
  const begun = apply(using(double.url, VALUES), tree, { signal: stop.signal });
  await Promise.race([followed, begun]);
  stop.abort(new Error("stopped"));
  await begun;
  double.finishTasks();
  const rotated = using(double.url, { ...VALUES, api_token: "second-token" });
  assertEquals(outcomes(await run(rotated, tree)), ["skipped", "applied"]);
  assertStringIncludes((await run(rotated, tree)).notices[0] ?? "", "'${api_token}' has changed");
  assertEquals((await run(using(double.url, VALUES), tree)).notices, []);
});

Deno.test("values that are given back after a run was cut off are applied again", async () => {
  let isLost = false;
  await using double = startClusterDouble({
    loseAnswer: (line) => isLost && line === "PUT /_index_template/logs",
  });
  const tree = { [TEMPLATE]: template() };
  await run(using(double.url, VALUES), tree);
  isLost = true;
  assert((await run(using(double.url, { ...VALUES, replicas: 3 }), tree)).error);
  isLost = false;
  assertEquals(outcomes(await run(using(double.url, VALUES), tree)), ["reapplied"]);
  assertStringIncludes(bodies(double, "PUT /_index_template/logs").at(-1) ?? "", 'replicas":2');
  assertEquals((await run(using(double.url, VALUES), tree)).requests, 1);
});

Deno.test("values that the cluster refused and that are given back are not sent again", async () => {
  let isRefused = false;
  const refused = { type: "illegal_argument_exception", reason: "no" };
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line !== "POST /orders/_doc") return undefined;
      return isRefused
        ? Response.json({ error: refused, status: 400 }, { status: 400 })
        : Response.json({ result: "created" }, { status: 201 });
    },
  });
  await run(using(double.url, VALUES), { [POST]: post });
  isRefused = true;
  const { error } = await run(using(double.url, { ...VALUES, env: "bad" }), { [POST]: post });
  assertInstanceOf(error, MigrationFailedError);
  isRefused = false;
  assertEquals(outcomes(await run(using(double.url, VALUES), { [POST]: post })), ["skipped"]);
  assertEquals(bodies(double, "POST /orders/_doc").length, 2);
});

Deno.test("nothing that is shown or recorded has the value of a secret", async () => {
  const [first, second] = ['gr8"fir=st"token', "an0ther-token"];
  await using double = startClusterDouble({
    intercept: (line, body) => {
      if (!line.startsWith("PUT /_index_template/refused")) return undefined;
      const reason = `cannot take [${body}] of ${line}`;
      const error = { type: "illegal_argument_exception", reason };
      return Response.json({ error, status: 400 }, { status: 400 });
    },
  });
  const tree = {
    "logs-template.json":
      '{"index_patterns":["l-*"],"_meta":{"api":"Bearer ${api_token}","list":["${api_token}"]}}',
    "refused.json":
      '{"method":"PUT","path":"/_index_template/refused?t=${api_token}","name":"r ${api_token}","body":{"index_patterns":["r-*"],"_meta":"${api_token}"}}',
    "z.json":
      '{"method":"GET","path":"/_search?q=${api_token}","body":{"size":0,"_source":"${api_token}"}}',
  };
  const shown: unknown[] = [];
  const old = using(double.url, { api_token: first });
  const plan = await planned(old, tree);
  assertStringIncludes(plan.steps[0]!.requests[0]!, '"api":"Bearer ${api_token}"');
  shown.push(plan);
  const report = await run(old, tree);
  assertInstanceOf(report.error, MigrationFailedError);
  assertStringIncludes(report.error.message, "${api_token}");
  shown.push(report, report.error.message, await standing(old, tree));
  const rotated = using(double.url, { api_token: second });
  const drifts = await drifted(rotated, tree);
  assertEquals(drifts[0]?.differences, [
    { path: "_meta.api", wanted: "Bearer ${api_token}", live: "***" },
    { path: "_meta.list", wanted: ["${api_token}"], live: "***" },
  ]);
  shown.push(drifts, await planned(rotated, tree), await run(rotated, tree));
  for (const { source } of indices(double)) shown.push(source);
  const text = JSON.stringify(shown);
  for (const secret of ["gr8", "fir=", "fir%", "an0ther"]) {
    assertEquals(text.replaceAll("api_token", "").includes(secret), false, secret);
  }
  assertMatch(String(recordOf(double, "logs-template.json")?.secrets_check), /^[0-9a-f]{2}$/);
});

function indices({ documents }: ClusterDouble): readonly { readonly source: unknown }[] {
  return ["framework_migrations", "framework_migrations_lock"].flatMap((name) => [
    ...documents.indices.get(name)?.documents.values() ?? [],
  ]);
}

const encode = (text: string) => new TextEncoder().encode(text);

/** The recorded values of one file. */
async function valuesOf(source: string, values: Values) {
  const [file] = await withValues(await filesOf({ "a.json": source }), declared(values));
  return file?.values;
}

const SAME: readonly (readonly [what: string, one: Values, other: Values])[] = [
  ["values that it does not use", { a: 1 }, { a: 1, b: 2 }],
  ["the order of a map", { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }],
  ["secrets", { a: 1, my_password: "x" }, { a: 1, my_password: "y" }],
  ["secrets in a map", { a: { host: "h", password: "x" } }, { a: { host: "h", password: "y" } }],
];
const OTHER: readonly (readonly [what: string, one: Values, other: Values])[] = [
  ["values", { a: 1 }, { a: 2 }],
  ["types", { a: 1 }, { a: "1" }],
  ["the order of a list", { a: ["x", "y"] }, { a: ["y", "x"] }],
  ["a map", { a: { host: "h", password: "x" } }, { a: { host: "i", password: "x" } }],
  ["a map and a list of the same", { a: { x: 1 } }, { a: [["x", 1]] }],
  ["null and a map", { a: null }, { a: {} }],
  ["what is declared", { a: 1 }, { a: 1, c: 1 }],
  ["secrets that are declared", { a: 1 }, { a: 1, my_password: "x" }],
];
const SOURCE = '{"a":"${a}","b":"${my_password}","c":"$${c}"}';

for (const [what, one, other] of SAME) {
  Deno.test(`values_hash is the same whatever ${what}`, async () => {
    assertEquals((await valuesOf(SOURCE, one))?.hash, (await valuesOf(SOURCE, other))?.hash);
  });
}
for (const [what, one, other] of OTHER) {
  Deno.test(`values_hash tells ${what} apart`, async () => {
    assertNotEquals((await valuesOf(SOURCE, one))?.hash, (await valuesOf(SOURCE, other))?.hash);
  });
}

Deno.test("the check of secrets has eight bits, and the same in every file", async () => {
  const values = { a_token: "x", b_token: "y" };
  const check = async (source: string) =>
    parseInt((await valuesOf(source, values))?.secrets ?? "", 16);
  const one = await check('{"x":"${a_token}"}');
  assertEquals(await check('{"another":["${a_token}", "${a_token}"]}'), one);
  const other = await check('{"x":"${b_token}"}');
  assertEquals(await check('{"x":"${a_token}${b_token}"}'), (one + other) % 256);
  await fc.assert(fc.asyncProperty(fc.string(), async (secret) => {
    const found = await valuesOf('{"x":"${a_token}"}', { a_token: secret });
    assertMatch(found?.secrets ?? "", /^[0-9a-f]{2}$/);
  }));
});

for (const cluster of [...PLAIN_CLUSTERS, ELASTICSEARCH_9]) {
  clusterTest(cluster, "a template with placeholders follows its values", async () => {
    const id = `ph${crypto.randomUUID().slice(0, 8)}`;
    const values = { replicas: 1, env: id };
    const tree = { [`${id}-template.json`]: template(',"_meta":{"n":12345678901234567890}') };
    const to = (more: Values) => using(cluster.url, { ...values, ...more }, { name: id });
    try {
      assertEquals(outcomes(await apply(to({}), tree)), ["applied"]);
      assertEquals(outcomes(await apply(to({}), tree)), ["skipped"]);
      assertEquals(await drifted(to({}), tree), []);
      const differences = (await planned(to({ replicas: 0 }), tree)).steps[0]?.differences;
      assertEquals(differences?.map(({ wanted, live }) => [String(wanted), String(live)]), [
        ["0", "1"],
      ]);
      assertEquals(outcomes(await apply(to({ replicas: 0 }), tree)), ["reapplied"]);
      assertEquals(await drifted(to({ replicas: 0 }), tree), []);
    } finally {
      await ask(cluster, "DELETE", `/_index_template/${id}`);
    }
  });
}

clusterTest(PLAIN, "a live index follows the values of its file", async (cluster) => {
  const name = `ph${crypto.randomUUID().slice(0, 8)}`;
  const reindex = { writePauseMs: 30_000, oldIndices: "keep" } as const;
  const to = (type: string) =>
    reindexing(using(cluster.url, { type }, { name, timeoutMs: 30_000 }), reindex);
  const tree = { [`${name}-index.json`]: '{"mappings":{"properties":{"f":{"type":"${type}"}}}}' };
  const types = async () => {
    const { json } = await ask(cluster, "GET", `/${name}/_mapping`);
    return Object.values(json as Record<string, { mappings: { properties: { f: unknown } } }>)
      .map(({ mappings }) => mappings.properties.f);
  };
  try {
    assertEquals(outcomes(await apply(to("text"), tree)), ["applied"]);
    await ask(cluster, "PUT", `/${name}/_doc/1?refresh=true`, { f: "a" });
    const report = await apply(to("keyword"), tree);
    assertEquals([report.error, outcomes(report)], [undefined, ["reapplied"]]);
    assertEquals(await types(), [{ type: "keyword" }]);
    const { json } = await ask(cluster, "GET", `/${name}/_count`);
    assertEquals((json as { count: number }).count, 1);
    // Back again, by the same bytes: yet another index.
    assertEquals(outcomes(await apply(to("text"), tree)), ["reapplied"]);
    assertEquals(await types(), [{ type: "text" }]);
    assertEquals((await apply(to("text"), tree)).requests, 1);
  } finally {
    for (const index of [`${name}-*`, name]) await ask(cluster, "DELETE", `/${index}`);
  }
});
