import { assertEquals, assertMatch } from "@std/assert";
import { type ClusterDouble, type DoubleOptions, startClusterDouble } from "./cluster_double.ts";
import { readRecording } from "./recordings.ts";
import { comparable } from "./replay.ts";

async function ask(double: ClusterDouble, request: string, headers: HeadersInit = {}) {
  const [, method, path, body] = /^(\w+) (\S+)(?: (.*))?$/s.exec(request)!;
  const response = await fetch(double.url + path!, { method, body, headers });
  return { status: response.status, json: await response.json() };
}

Deno.test("configIndexRace: the first requests lose, as they did on OpenSearch 2.19.4", async () => {
  const race = (await readRecording("opensearch-ism-policies.txt"))
    .filter(({ path }) => path.includes("race-"));
  const losers = race.filter(({ status }) => status > 299);
  const winner = race.find(({ status }) => status === 201)!;
  await using double = startClusterDouble({ configIndexRace: losers.length });
  assertEquals(losers.length, 10);
  for (const { method, path, body, status, answer } of [...losers, winner]) {
    const response = await fetch(double.url + path, { method, body });
    const text = await response.text();
    assertEquals([response.status, comparable(text)], [status, comparable(answer!)], path);
  }
});

Deno.test("reads around the making of the plugin's index are answered as they were on OpenSearch 2.19.4", async () => {
  const late = (await readRecording("opensearch-ism-policies.txt"))
    .filter(({ path }) => path.endsWith("/late"));
  const made = 'PUT /_plugins/_ism/policies/made {"policy":{"description":"d",' +
    '"default_state":"a","states":[{"name":"a"}]}}';
  const setups: [DoubleOptions, string[]][] = [
    [{}, []],
    [{}, [made]],
    [{ configIndexRace: 1 }, []],
  ];
  for (const [i, [options, requests]] of setups.entries()) {
    await using double = startClusterDouble(options);
    for (const request of requests) await ask(double, request);
    const { path, status, answer } = late[i]!;
    const response = await fetch(double.url + path);
    const text = await response.text();
    assertEquals([response.status, comparable(text)], [status, comparable(answer!)], `${i}`);
  }
});

Deno.test("unacknowledged: the request is done, and the answer does not say so", async () => {
  await using double = startClusterDouble({ unacknowledged: (line) => line.startsWith("PUT /a") });
  const { status, json } = await ask(double, "PUT /a");
  const unsure = { acknowledged: false, shards_acknowledged: false, index: "a" };
  assertEquals([status, json], [200, unsure]);
  assertEquals((await ask(double, "GET /a")).status, 200);
  const refused = await ask(double, "PUT /a");
  assertEquals([refused.status, refused.json.error.type], [
    400,
    "resource_already_exists_exception",
  ]);
  assertEquals((await ask(double, "PUT /b")).json.acknowledged, true);
});

const COPY = '/_reindex?wait_for_completion=false {"source":{"index":"a"},"dest":{"index":"b"}}';

Deno.test("holdTasks: a task runs until it is released, and only then does its work", async () => {
  await using double = startClusterDouble({ holdTasks: true });
  await ask(double, 'PUT /a/_doc/1 {"n":1}');
  const { task } = (await ask(double, `POST ${COPY}`, { "X-Opaque-Id": "mine" })).json;
  const running = (await ask(double, `GET /_tasks/${task}`)).json;
  assertEquals([running.completed, running.response], [false, undefined]);
  const { nodes } = (await ask(double, "GET /_tasks?actions=*reindex&detailed")).json;
  const [{ tasks }] = Object.values(nodes) as [{ tasks: Record<string, unknown> }];
  assertEquals(tasks[task], running.task);
  assertEquals(running.task.headers, { "X-Opaque-Id": "mine" });
  const waiting = await ask(double, `GET /_tasks/${task}?wait_for_completion=true&timeout=1s`);
  assertEquals([waiting.status, waiting.json.error.type], [500, "timeout_exception"]);
  assertEquals(double.documents.indices.has("b"), false);

  double.finishTasks();
  const finished = (await ask(double, `GET /_tasks/${task}`)).json;
  assertEquals([finished.completed, finished.response.created], [true, 1]);
  assertEquals(double.documents.indices.get("b")!.documents.get("1")!.source, { n: 1 });
  assertEquals((await ask(double, "GET /_tasks?actions=*reindex")).json, { nodes: {} });
});

Deno.test("holdTasks: a task that is cancelled is completed and has done nothing", async () => {
  await using double = startClusterDouble({ holdTasks: true });
  await ask(double, 'PUT /a/_doc/1 {"n":1}');
  const { task } = (await ask(double, `POST ${COPY}`)).json;
  const { nodes } = (await ask(double, `POST /_tasks/${task}/_cancel`)).json;
  assertMatch(JSON.stringify(nodes), /"cancelled":true/);
  double.finishTasks();
  const { completed, response } = (await ask(double, `GET /_tasks/${task}`)).json;
  assertEquals([completed, response.canceled, response.created, response.failures], [
    true,
    "by user request",
    0,
    [],
  ]);
  assertEquals(double.documents.indices.has("b"), false);
});

Deno.test("loseAnswer: the request is done and the connection breaks", async () => {
  await using double = startClusterDouble({ loseAnswer: () => true });
  const outcome = await fetch(`${double.url}/a`, { method: "PUT" })
    .then((response) => response.text()).then(() => "answered", () => "broken");
  assertEquals([outcome, double.documents.indices.has("a")], ["broken", true]);
});

Deno.test("ism: the plugin answers under both paths, under the old one alone, or not at all", async () => {
  const paths = ["_plugins", "_opendistro"];
  for (
    const [ism, statuses] of [
      ["_plugins", [200, 200]],
      ["_opendistro", [400, 200]],
      [false, [400, 400]],
    ] as const
  ) {
    await using double = startClusterDouble({ ism });
    const answers = await Promise.all(
      paths.map((path) => ask(double, `GET /${path}/_ism/policies`)),
    );
    assertEquals(answers.map(({ status }) => status), [...statuses], String(ism));
    const refused = answers.find(({ status }) => status === 400);
    if (refused) assertMatch(refused.json.error, /^no handler found for uri/);
  }
});

Deno.test("what the double does not have is reported as such, and is no answer of a cluster", async () => {
  await using double = startClusterDouble();
  await ask(double, 'PUT /a/_doc/1 {"n":1}');
  for (
    const request of [
      "PUT /_data_stream/a",
      "POST /a/_rollover",
      "GET /_cat/indices",
      'POST /a/_search {"sort":["n"]}',
      'POST /a/_search {"aggs":{}}',
      'POST /a/_search {"query":{"script":{}}}',
      "GET /a/_search?q=n:1",
      'POST /a/_update/1 {"script":{"source":"1"}}',
      'POST /_reindex {"source":{"index":"a"},"dest":{"index":"b"},"script":{"source":"1"}}',
      'POST /_ingest/pipeline/_simulate {"docs":[]}',
      'PUT /_scripts/a {"script":{"lang":"mustache","source":{}}}',
    ]
  ) {
    const { status, json } = await ask(double, request);
    assertEquals(status, 501, request);
    assertMatch(json.error, /^the cluster double does not cover /, request);
  }
});
