/**
 * Tests the differences of Elasticsearch, on servers without most of their modules: see
 * `tests/servers/elasticsearch.sh`.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { pullCluster } from "../../../src/features/pull/pull.ts";
import type { ReindexSettings } from "../../../src/features/reindex/settings.ts";
import { CLUSTER } from "../../../src/migrations/search/offers.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { reindexing } from "../../features/reindex/support.ts";
import { ask, clusterTest, ELASTICSEARCH, type RealCluster } from "../../servers/real.ts";
import { apply, connectionTo, planned, type Tree, withSession } from "./runner.ts";
import { drifted } from "../../features/drift/support.ts";

/** A connection of its own, whose traces on the cluster go with it. */
class Own implements AsyncDisposable {
  readonly name = `t${crypto.randomUUID().slice(0, 8)}`;
  readonly connection: SearchConnection;

  constructor(readonly cluster: RealCluster, reindex?: ReindexSettings) {
    const { url } = cluster;
    const base = { ...connectionTo(url), name: this.name, timeoutMs: 30_000 };
    this.connection = reindex ? reindexing(base, reindex) : base;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kinds = ["_index_template/", "_component_template/", "_ingest/pipeline/", "_snapshot/"];
    for (const kind of [...kinds, ""]) {
      await ask(this.cluster, "DELETE", `/${kind}${this.name}*`);
    }
  }
}

const put = (path: string, body: unknown) => JSON.stringify({ method: "PUT", path, body });

function filesOf(name: string): Tree {
  return {
    [`a/${name}-component.json`]: '{"template":{"settings":{"number_of_replicas":0}},"version":3}',
    [`b/${name}-pipeline.json`]: '{"description":"nothing","processors":[],"_meta":{"by":"me"}}',
    [`c/${name}-template.json`]: JSON.stringify({
      index_patterns: [`${name}-logs*`],
      composed_of: [name],
      priority: 7,
      template: { mappings: { properties: { at: { type: "date" } } } },
    }),
    [`d/${name}-repository.json`]: put(`/_snapshot/${name}`, {
      type: "fs",
      settings: { location: name, compress: true },
    }),
    [`e/${name}-index.json`]: '{"settings":{"number_of_replicas":0,"codec":"best_compression"}}',
    [`f/${name}-alias.json`]: JSON.stringify({
      method: "POST",
      path: "/_aliases",
      body: { actions: [{ add: { index: name, alias: `${name}-people` } }] },
    }),
    [`g/${name}-bulk.json`]: JSON.stringify({
      method: "POST",
      path: "/_bulk",
      body: `{"index":{"_index":"${name}","_id":"1"}}\n{"n":1}\n`,
    }),
  };
}

for (const cluster of ELASTICSEARCH) {
  clusterTest(
    cluster,
    "files of every kind that the server has are applied, compared and pulled",
    async () => {
      await using own = new Own(cluster);
      const files = filesOf(own.name);
      const { error, results } = await apply(own.connection, files);
      assertEquals(error?.message, undefined);
      assertEquals(new Set(results.map(({ outcome }) => outcome)), new Set(["applied"]));
      assertEquals(await drifted(own.connection, files), []);
      assertEquals((await apply(own.connection, files)).requests, 1);

      const pulled = await withSession(own.connection, {}, async (session) => {
        const context = {
          cluster: CLUSTER.of(session)!,
          connection: own.connection,
          migrations: [],
        };
        return await pullCluster(context, { match: `${own.name}*` });
      });
      assertEquals(pulled.files.map(({ path }) => path.replaceAll(own.name, "x")), [
        "10-repositories/x.json",
        "40-pipelines/x-pipeline.json",
        "50-components/x-component.json",
        "55-templates/x-template.json",
      ]);
      assertEquals(pulled.leftOut.map(({ reason }) => reason), ["the cluster does not have them"]);
      const tree = Object.fromEntries(pulled.files.map(({ path, text }) => [path, text]));
      const other = { ...own.connection, name: `${own.name}y` };
      assertEquals((await apply(other, tree)).error?.message, undefined);
      assertEquals(await drifted(other, tree), []);
      assertEquals(await drifted(own.connection, files), []);
    },
  );

  clusterTest(
    cluster,
    "a file whose API is absent fails, and its message fits the server",
    async () => {
      await using own = new Own(cluster);
      const table: readonly [file: string, body: unknown, message: RegExp][] = [
        [
          "policy",
          { policy: { phases: { delete: { min_age: "9d", actions: { delete: {} } } } } },
          /PUT \/_ilm\/policy\/\S+: HTTP 40\d: .*; a policy with 'phases' needs index lifecycle management/,
        ],
        [
          "policy",
          { policy: { default_state: "a", states: [{ name: "a", actions: [], transitions: [] }] } },
          /has no index state management: .* or write a policy for Elasticsearch/,
        ],
        ["role", { indices: [] }, /PUT \/_security\/role\/\S+: HTTP 40\d/],
        ["search-pipeline", { request_processors: [] }, /PUT \/_search\/pipeline\/\S+: HTTP 40\d/],
      ];
      for (const [kind, body, message] of table) {
        const tree = { [`${own.name}-${kind}.json`]: JSON.stringify(body) };
        assertMatch(String((await apply(own.connection, tree)).error), message);
      }
    },
  );

  clusterTest(cluster, "a live index is changed in place, and a copy is refused", async () => {
    await using own = new Own(cluster, { writePauseMs: 30_000, oldIndices: "keep" });
    const index = (properties: unknown, settings = {}): Tree => ({
      [`${own.name}-index.json`]: JSON.stringify({
        settings: { number_of_replicas: 0, ...settings },
        mappings: { properties },
      }),
    });
    const noteOf = async (tree: Tree) => {
      const { error, results: [result] } = await apply(own.connection, tree);
      assertEquals(error?.message, undefined);
      return result?.note;
    };
    const [a, b] = [{ type: "integer" }, { type: "keyword" }];
    assertMatch(await noteOf(index({ a })) ?? "", /^made as '/);
    assertEquals(await noteOf(index({ a, b })), "changed in place: mappings.b");
    // Elasticsearch gives every index a '_tier_preference': only a setting that was made by hand is reported.
    await ask(cluster, "PUT", `/${own.name}/_settings`, { index: { refresh_interval: "7s" } });
    assertEquals(
      await noteOf(index({ a, b: { ...b, index: true } })),
      "what the file names is so already; what the file does not name is left: " +
        "index.refresh_interval",
    );
    const changed = index({ a: { type: "long" }, b });
    const refused =
      /Live reindex requires OpenSearch, but the cluster is another product, version [89]\./;
    const { steps: [step] } = await planned(own.connection, changed);
    assertMatch(step?.findings?.[0]?.message ?? "", refused);
    assertMatch(String((await apply(own.connection, changed)).error), refused);
  });
}
