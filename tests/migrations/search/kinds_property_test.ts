import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { depth } from "../../long/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import {
  ask,
  clusterTest,
  ELASTICSEARCH,
  ELASTICSEARCH_9,
  PLAIN_CLUSTERS,
  type RealCluster,
  SECURED,
} from "../../servers/real.ts";
import { BODIES } from "./kind_bodies.ts";
import { remove } from "./own_resources.ts";
import { apply, connectionTo, type Environment, openClient } from "./runner.ts";
import { drifted } from "../../features/drift/support.ts";

/** How many bodies of each kind are tried. The security plugin takes half a second for each. */
const SAMPLES = { core: depth(12, 30), security: depth(2, 4) };

const SECURITY = "/_plugins/_security/api";

for (const cluster of [...PLAIN_CLUSTERS, ELASTICSEARCH_9]) {
  clusterTest(cluster, "what was put is no drift", async () => {
    await using own = await names(cluster, [
      "_data_stream",
      "_index_template",
      "_component_template",
      "_ingest/pipeline",
      "_scripts",
    ]);
    const seed = Math.trunc(Math.random() * 2 ** 31);
    // Elasticsearch is there without processors, Painless and data streams.
    const isWhole = cluster !== ELASTICSEARCH_9;
    const kinds = isWhole
      ? ["component", "pipeline", "script", "template"]
      : ["component", "template"];
    await own.check({
      ...filesOf(own.name, kinds, isWhole ? SAMPLES.core : SAMPLES.core / 3, seed),
      [`t-${own.name}-ds-template.json`]: JSON.stringify({
        index_patterns: [`${own.name}ds*`],
        data_stream: {},
      }),
      ...(isWhole && { [`u/${own.name}ds-data-stream.json`]: "{}" }),
      // Numbers that are another text than what is read from them.
      [`v/${own.name}n-component.json`]:
        '{"template":{"settings":{"index.merge.policy.segments_per_tier":10.0,"number_of_shards":null}}}',
    }, seed);
  });
}

// The modules of these are on no registry.
for (const version of ["2.19.4", "3.4.0"] as const) {
  Deno.test(`what was put is no drift, policies and search pipelines (double of OpenSearch ${version})`, async () => {
    await using double = startClusterDouble({ version });
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const files = filesOf("logs", ["policy", "snapshots", "search-pipeline"], depth(30, 100), seed);
    assertEquals((await apply(double.url, files)).error?.message, undefined, `seed ${seed}`);
    assertEquals(await drifted(double.url, files), [], `seed ${seed}`);
  });
}

for (const cluster of SECURED) {
  clusterTest(cluster, "what was put is no drift, roles and users", async () => {
    const kinds = ["rolesmapping", "internalusers", "roles", "actiongroups", "tenants"];
    await using own = await names(cluster, kinds.map((kind) => `${SECURITY.slice(1)}/${kind}`));
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const order = ["action-group", "tenant", "role", "user", "role-mapping"];
    await own.check(filesOf(own.name, order, SAMPLES.security, seed), seed);
  });
}

for (const cluster of [...PLAIN_CLUSTERS, ...SECURED, ...ELASTICSEARCH]) {
  clusterTest(cluster, "cluster settings and repositories that were put are no drift", async () => {
    await using own = await names(cluster, ["_snapshot"]);
    const remote = `cluster.remote.${own.name}`;
    try {
      await own.check({
        "a-cluster-settings.json": JSON.stringify({
          persistent: {
            [`${remote}.seeds`]: ["127.0.0.1:9399"],
            cluster: { remote: { [own.name]: { skip_unavailable: true } } },
            "search.default_keep_alive": null,
            [`${remote}.nope*`]: null,
          },
        }),
        "b-repository.json": JSON.stringify({
          method: "PUT",
          path: `/_snapshot/${own.name}`,
          body: {
            type: "fs",
            settings: { location: own.name, compress: true, max_restore_bytes_per_sec: "10mb" },
          },
        }),
        "c-repository.json": JSON.stringify({
          method: "PUT",
          path: `/_snapshot/${own.name}2?verify=false`,
          body: { type: "fs", settings: { location: own.name, chunk_size: null } },
        }),
      }, 0);
    } finally {
      await ask(cluster, "PUT", "/_cluster/settings", { persistent: { [`${remote}.*`]: null } });
    }
  });
}

/** Files with generated bodies, kind by kind. */
function filesOf(
  name: string,
  kinds: readonly string[],
  numRuns: number,
  seed: number,
): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [order, kind] of kinds.entries()) {
    const bodies = fc.sample(BODIES[kind]!(name), { numRuns, seed });
    for (const [index, body] of bodies.entries()) {
      // Mappings are of roles that are there.
      files[`${order}/${name}-${index}-${kind}.json`] = JSON.stringify(body);
    }
  }
  return files;
}

/** A name of its own on a cluster, and what is taken away again with it. */
async function names(
  cluster: RealCluster,
  paths: readonly string[],
): Promise<
  AsyncDisposable & {
    readonly name: string;
    check(files: Record<string, string>, seed: number): Promise<void>;
  }
> {
  const name = `t${crypto.randomUUID().slice(0, 8)}`;
  const { password, ca } = cluster;
  const connection: SearchConnection = {
    ...connectionTo(cluster.url),
    name,
    timeoutMs: 30_000,
    ...(password && { authorization: `Basic ${btoa(`admin:${password}`)}` }),
  };
  const caCert = ca && await Deno.readTextFile(ca);
  const environment: Environment = {
    openClient: () => Promise.resolve(openClient(caCert ? { caCert } : {})),
  };
  return {
    name,
    async check(files, seed) {
      const report = await apply(connection, files, environment);
      assertEquals(report.error?.message, undefined, `seed ${seed}`);
      const drifts = await drifted(connection, files, environment);
      assertEquals(
        drifts.map((drift) => ({ ...drift, said: files[drift.file ?? ""] })),
        [],
        `seed ${seed}`,
      );
      // Nothing is left to do.
      assertEquals((await apply(connection, files, environment)).requests, 1);
    },
    async [Symbol.asyncDispose]() {
      for (const path of paths) await remove(cluster, `/${path}`, name);
      await ask(cluster, "POST", "/framework_migrations/_delete_by_query?refresh=true", {
        query: { term: { connection: name } },
      });
    },
  };
}
