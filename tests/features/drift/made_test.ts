import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { depth } from "../../long/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { ask, clusterTest, PLAIN, type RealCluster } from "../../servers/real.ts";
import { checkTogether } from "../../../src/migrations/search/guards/overlap.ts";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { loadedFile } from "../../migrations/runner/memory.ts";
import { apply, connectionTo, drifted, recorded } from "../../migrations/search/runner.ts";

type Request = readonly [method: string, path: string, body?: unknown];

const templates = (...names: readonly string[]) => ({
  dynamic_templates: names.map((name) => ({
    [name]: { match: `${name}_*`, mapping: { type: "keyword" } },
  })),
});

clusterTest(
  PLAIN,
  "drift + an index has the dynamic templates of its template",
  async (cluster) => {
    await using own = names(cluster);
    const { name } = own;
    const files = filesOf([
      ["PUT", `/_index_template/${name}`, {
        index_patterns: [`${name}*`],
        template: { mappings: templates("t", "both") },
      }],
      ["PUT", `/${name}-1`, { mappings: templates("own", "both") }],
    ]);
    assertEquals(await own.apply(files), []);
    await ask(cluster, "PUT", `/${name}-1/_mapping`, templates("t", "both", "own", "hand"));
    assertEquals(await own.drifted(files), []);
    await ask(cluster, "PUT", `/${name}-1/_mapping`, templates("t"));
    assertEquals(paths(await own.drifted(files)), [
      "mappings.dynamic_templates.own",
      "mappings.dynamic_templates.both",
    ]);
  },
);

clusterTest(PLAIN, "drift + a rollover moves the alias that a file made", async (cluster) => {
  await using own = names(cluster);
  const { name } = own;
  for (const [alias, how] of [["a", { is_write_index: true }], ["b", {}]] as const) {
    const index = `${name}-${alias}-000001`;
    const series = `${name}-${alias}`;
    const files = filesOf([["PUT", `/${index}`, { aliases: { [series]: how, [`${name}x`]: {} } }]]);
    assertEquals(await own.apply(files), []);
    await ask(cluster, "POST", `/${series}/_rollover`);
    assertEquals(await own.drifted(files), []);
    await ask(cluster, "DELETE", `/${index}/_alias/${name}x`);
    assertMatch(String(paths(await own.drifted(files))), /^aliases/);
    await ask(cluster, "DELETE", `/${name}-*`);
  }
});

clusterTest(PLAIN, "drift + requests for aliases, patterns and lists count", async (cluster) => {
  await using own = names(cluster);
  const { name } = own;
  const files = filesOf([
    ["PUT", `/${name}-1`, { settings: { number_of_replicas: 0 }, aliases: { [`${name}c`]: {} } }],
    ["PUT", `/${name}-2`, { settings: { number_of_replicas: 0 } }],
    ["PUT", `/${name}c/_settings`, { number_of_replicas: 1 }],
    ["POST", "/_aliases", {
      actions: [
        { remove: { index: `${name}-*`, alias: `${name}c` } },
        { add: { index: `${name}-2`, alias: `${name}c`, routing: "r" } },
      ],
    }],
    ["PUT", `/${name}-*,-${name}-1/_settings`, { refresh_interval: "60s" }],
    ["PUT", `/${name}-3`, {}],
    ["DELETE", `/${name}-3*`],
  ]);
  assertEquals(await own.apply(files), []);
  await ask(cluster, "DELETE", `/${name}-2/_alias/${name}c`);
  await ask(cluster, "PUT", `/${name}-1/_settings`, { number_of_replicas: 3 });
  assertEquals((await own.drifted(files)).map(({ file, resource }) => [file, resource]), [
    ["03.json", `index ${name}-1`],
    ["04.json", `index ${name}-2`],
  ]);
});

clusterTest(
  PLAIN,
  "drift + any requests that the cluster accepted: no difference",
  async (cluster) => {
    await using own = names(cluster);
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestOf(own.name), { minLength: 3, maxLength: 9 }),
        async (all) => {
          await own.empty();
          const accepted: Request[] = [];
          for (const request of all) {
            if ((await ask(cluster, ...request)).status < 300) accepted.push(request);
          }
          await own.empty();
          const files = filesOf(accepted);
          assertEquals((await own.apply(files)).filter(({ differences }) => differences[0]), []);
          await own.empty();
        },
      ),
      { numRuns: depth(8, 100) },
    );
  },
);

clusterTest(
  PLAIN,
  "checkTogether, drift + values as texts are what the cluster reads",
  async (cluster) => {
    await using own = names(cluster);
    const { name } = own;
    const number = fc.constantFrom(5, "5", "5.0", 5.9, "0.5e1", 6, "6", undefined);
    const flag = fc.constantFrom(true, "true", "false");
    const template = fc.record({
      priority: number,
      version: number,
      data_stream: fc.constantFrom({}, { hidden: false }, { hidden: "false" }),
      template: fc.record({
        settings: fc.record({ number_of_replicas: fc.constantFrom(1, "1"), "blocks.write": flag }),
        mappings: fc.record({ date_detection: flag, _source: fc.record({ enabled: flag }) }),
        aliases: fc.record({ [`${name}a`]: fc.record({ is_write_index: flag }) }),
      }),
    });
    await fc.assert(
      fc.asyncProperty(template, template, async (first, second) => {
        await own.empty();
        const file = (at: string, body: object) =>
          loadedFile(
            `${name}${at}-template.json`,
            JSON.stringify({ index_patterns: [`${name}*`], ...body }),
          );
        const files = await Promise.all([file("", first), file("2", second)]);
        const { bytes } = files[0]!;
        const text = new TextDecoder().decode(bytes);
        const { status } = await ask(cluster, "PUT", `/_index_template/${name}`, JSON.parse(text));
        if (status >= 400) return;
        const problems = checkTogether(
          { name: "c" },
          files.map((file) => classify(file, "reapply")),
        );
        const second2 = { index_patterns: [`${name}*`], ...second };
        const taken = await ask(cluster, "PUT", `/_index_template/${name}2`, second2);
        await ask(cluster, "DELETE", `/_index_template/${name}2`);
        assertEquals(taken.status === 200, problems.length === 0, JSON.stringify([first, second]));
        assertEquals(await own.apply({ [`${name}-template.json`]: text }), []);
      }),
      { numRuns: depth(10, 100) },
    );
  },
);

Deno.test("drift + a text body with comments is what the cluster reads", async () => {
  await using double = startClusterDouble();
  const body = '{"index_patterns":["c-*"], // of c\n"priority":5 /* five */}';
  const files = filesOf([["PUT", "/_index_template/c", body]]);
  await recorded(double.url, files);
  await fetch(`${double.url}/_index_template/c`, {
    method: "PUT",
    body: '{"index_patterns":["c-*"],"priority":5}',
  }).then((response) => response.body?.cancel());
  assertEquals(await drifted(double.url, files), []);
  await fetch(`${double.url}/_index_template/c`, {
    method: "PUT",
    body: '{"index_patterns":["c-*"],"priority":6}',
  }).then((response) => response.body?.cancel());
  assertEquals(paths(await drifted(double.url, files)), ["priority"]);
});

function filesOf(requests: readonly Request[]): Record<string, string> {
  return Object.fromEntries(requests.map(([method, path, body], index) => {
    return [`${String(index + 1).padStart(2, "0")}.json`, JSON.stringify({ method, path, body })];
  }));
}

function paths(drifts: Awaited<ReturnType<typeof drifted>>): readonly string[] {
  return drifts.flatMap(({ differences }) => differences.map(({ path }) => path));
}

function requestOf(name: string): fc.Arbitrary<Request> {
  const index = fc.constantFrom(`${name}-1`, `${name}-2`, `${name}-000003`);
  const alias = fc.constantFrom(`${name}c`, `${name}d`);
  const target = fc.oneof(
    index,
    alias,
    fc.constantFrom(`${name}-*`, `${name}-1,${name}-2`, `${name}-*,-${name}-1`),
  );
  const setting = fc.record({
    number_of_replicas: fc.constantFrom(0, "1", 2),
    refresh_interval: fc.constantFrom("5s", "60s", null),
  }, { requiredKeys: [] });
  const field = fc.record({
    type: fc.constant("keyword"),
    ignore_above: fc.constantFrom(10, "20"),
    doc_values: fc.constantFrom(true, "true", "false"),
  }, { requiredKeys: ["type"] });
  const mappings = fc.record({
    properties: fc.dictionary(fc.constantFrom("a", "b"), field, { minKeys: 1 }),
    dynamic_templates: fc.constantFrom(
      templates("x").dynamic_templates,
      templates("y", "x").dynamic_templates,
    ),
    _source: fc.constantFrom({ enabled: true }, { enabled: "true" }),
  }, { requiredKeys: [] });
  const how = fc.constantFrom({}, { routing: "1" }, { is_write_index: true }, {
    is_write_index: "true",
  });
  const aliases = fc.dictionary(alias, how, { maxKeys: 2 });
  const parts = { settings: setting, mappings, aliases };
  const action = fc.oneof(
    fc.tuple(target, alias, how).map(([index, alias, how]) => ({ add: { index, alias, ...how } })),
    fc.tuple(target, alias).map(([index, alias]) => ({ remove: { index, alias } })),
    index.map((index) => ({ remove_index: { index } })),
  );
  const created = fc.tuple(index, fc.record(parts, { requiredKeys: [] }))
    .map(([index, body]): Request => ["PUT", `/${index}`, body]);
  return fc.oneof<fc.Arbitrary<Request>[]>(
    created,
    created,
    created,
    fc.tuple(target, setting).map(([target, body]) => ["PUT", `/${target}/_settings`, body]),
    fc.tuple(target, mappings).map(([target, body]) => ["PUT", `/${target}/_mapping`, body]),
    fc.array(action, { minLength: 1, maxLength: 3 })
      .map((actions) => ["POST", "/_aliases", { actions }]),
    fc.tuple(target, alias, how)
      .map(([target, alias, how]) => ["PUT", `/${target}/_alias/${alias}`, how]),
    fc.tuple(target, alias).map(([target, alias]) => ["DELETE", `/${target}/_alias/${alias}`]),
    alias.map((alias) => ["POST", `/${alias}/_rollover`]),
    target.map((target) => ["DELETE", `/${target}`]),
    index.map((index) => ["PUT", `/${index}/_block/write`]),
    fc.record({ settings: setting, mappings }, { requiredKeys: [] }).map((
      template,
    ) => ["PUT", `/_index_template/${name}`, {
      index_patterns: [`${name}-*`],
      priority: "7",
      template,
    }]),
  );
}

/** A name of its own on a cluster, and what is deleted again with it. */
function names(cluster: RealCluster) {
  const name = `d${crypto.randomUUID().slice(0, 8)}`;
  let connection = { ...connectionTo(cluster.url), name, timeoutMs: 30_000 };
  const empty = async () => {
    await ask(cluster, "DELETE", `/${name}*`);
    await ask(cluster, "DELETE", `/_index_template/${name}`);
    connection = { ...connection, name: `${connection.name}+` };
  };
  return {
    name,
    empty,
    drifted: (files: Record<string, string>) => drifted(connection, files),
    async apply(files: Record<string, string>) {
      const report = await apply(connection, files);
      assertEquals(report.error?.message, undefined);
      return await drifted(connection, files);
    },
    [Symbol.asyncDispose]: empty,
  };
}
