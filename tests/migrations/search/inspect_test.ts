import { assertEquals, assertMatch } from "@std/assert";
import { changes, differences, without } from "../../../src/migrations/search/json/compare.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { actions, files, index, policy, preview, put, send, template } from "./inspected.ts";
import { apply, planned } from "./runner.ts";

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
