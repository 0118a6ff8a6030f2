import { assertEquals, assertMatch } from "@std/assert";
import { changes, differences, without } from "../../../src/migrations/search/json/compare.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { classifyAll } from "../../../src/migrations/runner/prepare.ts";
import { apply, drifted, planned, recorded, type Tree, withSession } from "./runner.ts";

Deno.test("differences finds leaves that are not as wanted, and lets the cluster say more", () => {
  const table: [wanted: unknown, live: unknown, paths: string[]][] = [
    [{ a: 1 }, { a: "1", b: 2 }, []],
    [{ a: true }, { a: "true" }, []],
    [{ a: 1 }, { a: "1.0" }, []],
    [{ a: 1000 }, { a: "1e3" }, []],
    [{ a: 0 }, { a: "" }, ["a"]],
    [{ a: "1" }, { a: "1.0" }, ["a"]],
    [{ a: null }, {}, []],
    [{ a: null }, { a: 1 }, ["a"]],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ["a.c"]],
    [{ a: { b: 1 } }, {}, ["a"]],
    [{ a: {} }, {}, ["a"]],
    [{ a: [1, 2] }, { a: [1] }, ["a"]],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, []],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ["a"]],
    [{ toString: 1 }, {}, ["toString"]],
    [1, undefined, [""]],
  ];
  for (const [wanted, live, paths] of table) {
    assertEquals(differences(wanted, live).map(({ path }) => path), paths, JSON.stringify(wanted));
  }
});

Deno.test("without takes away what a later file says", () => {
  assertEquals(without({ a: 1, b: { c: 1, d: 2 } }, { b: { c: 5 }, e: 1 }), { a: 1, b: { d: 2 } });
  assertEquals(without({ a: { b: 1 } }, { a: { b: 2 } }), undefined);
  assertEquals(without({ a: [1] }, { a: [2] }), undefined);
});

const template = (shards: number) =>
  JSON.stringify({
    index_patterns: ["logs-*"],
    priority: 5,
    template: {
      settings: { number_of_shards: shards, index: { refresh_interval: "5s" } },
      mappings: { properties: { at: { type: "date" } } },
      aliases: { all: {} },
    },
  });

const index = JSON.stringify({
  settings: { "index.refresh_interval": "5s", number_of_replicas: 0 },
  mappings: { properties: { host: { type: "keyword", index: true } } },
  aliases: { people: {} },
});

const policy = (age: string) =>
  JSON.stringify({
    policy: {
      policy_id: "old",
      description: "d",
      default_state: "hot",
      states: [{ name: "hot", actions: [{ rollover: { min_index_age: age } }], transitions: [] }],
      ism_template: { index_patterns: ["logs-*"], priority: 1 },
    },
  });

const actions = '{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}';

const files = {
  "1/logs-template.json": template(1),
  "2/users-index.json": index,
  "3/old-policy.json": policy("1d"),
  "4/alias.json": `{"method":"POST","path":"/_aliases","body":${actions}}`,
};

/** Of every file, be there anything to apply or not. */
const preview = (url: string, tree: Tree) =>
  withSession(url, tree, async ({ journal, executor }, files) => {
    const { entries } = await journal.read(files.map(({ path }) => path));
    const loaded = await executor();
    const { migrations } = await classifyAll(loaded, files);
    return await Promise.all(
      migrations.map((migration) =>
        loaded.preview(migration, entries.get(migration.file.path)?.applied)
      ),
    );
  });

const drift = async (url: string, tree: Tree) =>
  (await drifted(url, tree)).map(({ file, resource, differences }) => [
    file,
    resource,
    ...differences.map(({ path, wanted, live }) => `${path}: ${wanted} is ${live}`),
  ]);

const put = (path: string, body: unknown) => JSON.stringify({ method: "PUT", path, body });

const send = async (url: string, method: string, path: string, body?: unknown) => {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  await (await fetch(url + path, init)).body?.cancel();
};

Deno.test("preview says what would be sent, and writes nothing", async () => {
  await using double = startClusterDouble();
  const previews = await preview(double.url, files);
  assertEquals(previews.map(({ requests }) => requests), [
    [`PUT /_index_template/logs\n${template(1)}`],
    ["GET /users", `PUT /users\n${index}`],
    [`PUT /_plugins/_ism/policies/old\n${policy("1d")}`],
    [`POST /_aliases\n${actions}`],
  ]);
  assertEquals(previews.map(({ note }) => note), [
    ...Array(3).fill("does not exist yet"),
    undefined,
  ]);
  const writes = double.requests.filter(({ line }) => /^(PUT|DELETE)/.test(line));
  assertEquals(writes, []);
});

Deno.test("preview of what is applied already finds no difference, in spite of what clusters add", async () => {
  for (const ism of ["_plugins", "_opendistro"] as const) {
    await using double = startClusterDouble({ ism });
    assertEquals((await apply(double.url, files)).error, undefined);
    const previews = await preview(double.url, files);
    assertEquals(previews.map(({ differences }) => differences), [[], [], [], undefined]);
  }
});

Deno.test("plan previews what is new or changed, and nothing else", async () => {
  await using double = startClusterDouble();
  await apply(double.url, files);
  const changed = { ...files, "1/logs-template.json": template(2), "5.json": put("/x", {}) };
  const { steps, notices } = await planned(double.url, changed);
  assertEquals(steps.map(({ file, kind, resource }) => [file, kind, resource]), [
    ["1/logs-template.json", "template", "logs"],
    ["5.json", "request", "PUT /x"],
  ]);
  assertEquals(notices, []);
});

Deno.test("preview shows what a changed file changes; an index is left as it is", async () => {
  await using double = startClusterDouble();
  await apply(double.url, files);
  const changed = {
    "1/logs-template.json": template(2),
    "2/users-index.json": index.replace('"keyword"', '"text"'),
    "3/old-policy.json": policy("9d"),
  };
  const [first, second, third] = await preview(double.url, changed);
  assertEquals(first!.differences, [
    { path: "template.settings.index.number_of_shards", wanted: 2, live: "1" },
  ]);
  assertEquals(second!.requests, ["GET /users"]);
  assertMatch(second!.note!, /exists already and will not be changed/);
  assertEquals(second!.differences!.map(({ path }) => path), [
    "mappings.properties.host.type",
  ]);
  assertMatch(third!.requests[0]!, /policies\/old\?if_seq_no=0&if_primary_term=1\n/);
  assertEquals(third!.differences!.map(({ path }) => path), ["states"]);
});

Deno.test("drift finds what somebody changed or deleted since", async () => {
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

Deno.test("drift counts what somebody added to a policy", async () => {
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

Deno.test("changes finds what either has and the other has not, types included", () => {
  const table: [wanted: unknown, live: unknown, paths: string[]][] = [
    [{ a: 1 }, { a: "1" }, ["a"]],
    [{ a: 1 }, { a: 1, b: 2 }, ["b"]],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: null }, {}, ["a"]],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, ["a"]],
    [{ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }, []],
    [{ a: [1, 2] }, { a: [2, 1] }, ["a"]],
    [{ a: { b: 1 } }, { a: [] }, ["a"]],
    [{ toString: 1 }, {}, ["toString"]],
  ];
  for (const [wanted, live, paths] of table) {
    assertEquals(changes(wanted, live).map(({ path }) => path), paths, JSON.stringify(wanted));
    assertEquals(changes(live, wanted).map(({ path }) => path), paths, JSON.stringify(wanted));
  }
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

Deno.test("plan shows what an edited file takes away from a whole", async () => {
  await using double = startClusterDouble();
  const files = { "a-template.json": '{"index_patterns":["a"],"priority":5,"version":2}' };
  await apply(double.url, files);
  const edited = { "a-template.json": '{"index_patterns":["a"],"version":3}' };
  assertEquals((await planned(double.url, edited)).steps[0]?.differences, [
    { path: "version", wanted: 3, live: 2 },
    { path: "priority", wanted: undefined, live: 5 },
  ]);
});

Deno.test("drift counts what somebody added to a template", async () => {
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

Deno.test("an answer that was not acknowledged counts when the cluster is as the file says by then", async () => {
  for (
    const [body, error] of [[template(1), undefined], [template(2), /did not acknowledge/]] as const
  ) {
    await using double = startClusterDouble({
      intercept: (line) =>
        line === "PUT /_index_template/logs?cause=late"
          ? undefined
          : line === "PUT /_index_template/logs"
          ? send(double.url, "PUT", "/_index_template/logs?cause=late", JSON.parse(template(1)))
            .then(() => Response.json({ acknowledged: false }))
          : undefined,
    });
    const report = await apply(double.url, { "logs-template.json": body });
    if (error) assertMatch(String(report.error), error);
    else assertEquals(report.results[0]!.note, "the cluster confirmed it late");
  }
});

Deno.test("plan marks requests that delete", async () => {
  await using double = startClusterDouble();
  const remove = (verb: string) => ({ actions: [{ [verb]: { index: "a", alias: "b" } }] });
  const table: [isDeletion: boolean, method: string, path: string, body?: unknown][] = [
    [true, "DELETE", "/a"],
    [true, "POST", "/_aliases", remove("remove_index")],
    [true, "POST", "/a/_delete_by_query?refresh=true", { query: { match_all: {} } }],
    [true, "POST", "/_bulk", [{ index: { _id: "1" } }, {}, { delete: { _id: "1" } }]],
    [true, "PATCH", "/_plugins/_security/api/roles", [{ op: "remove", path: "/a" }]],
    [false, "POST", "/_aliases", remove("add")],
    [false, "POST", "/_bulk", [{ index: { _id: "1" } }, { delete: 1 }]],
    [false, "PUT", "/a/_doc/1", {}],
  ];
  const files = table.map(([, method, path, body], index) => [
    `${index}.json`,
    JSON.stringify({ method, path, body }),
  ]);
  const { steps } = await planned(double.url, Object.fromEntries(files));
  assertEquals(
    steps.map(({ consequences = [] }) =>
      /deletes.*without asking for '--yes'/.test(`${consequences}`)
    ),
    table.map(([isDeletion]) => isDeletion),
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
