import { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { MigrationFailedError, type RunReport } from "../../../src/migrations/runner/mod.ts";
import { type FaultProxy, faultProxy } from "../../servers/fault_proxy.ts";
import { ask, clusterTest, PLAIN_CLUSTERS, type RealCluster } from "../../servers/real.ts";
import { apply, connectionTo } from "../../migrations/search/runner.ts";
import { reindexing } from "./support.ts";

const DOCUMENTS = 2000;

/** An index with documents behind a proxy. */
interface ProxiedIndex {
  readonly name: string;
  readonly proxy: FaultProxy;
  /** Migrates the index to a field of this type. */
  migrate(type: string): Promise<RunReport>;
  count(): Promise<number>;
}

async function withIndex(cluster: RealCluster, work: (place: ProxiedIndex) => Promise<void>) {
  await using proxy = await faultProxy(cluster.url);
  const name = `t${crypto.randomUUID().slice(0, 8)}`;
  const connection = reindexing(
    { ...connectionTo(proxy.url), name, timeoutMs: 60_000 },
    { writePauseMs: 30_000, oldIndices: "delete" },
  );
  const migrate = (type: string) =>
    apply(connection, {
      [`${name}.json`]: JSON.stringify({
        settings: { number_of_shards: 2, number_of_replicas: 0 },
        mappings: { properties: { n: { type } } },
      }),
    });
  const count = async () => {
    await ask(cluster, "POST", `/${name}/_refresh`);
    const { json } = await ask(cluster, "GET", `/${name}/_count`);
    return (json as { count: number }).count;
  };
  try {
    assertEquals((await migrate("long")).error, undefined);
    await bulk(cluster.url, name, lines(0, DOCUMENTS));
    await work({ name, proxy, migrate, count });
  } finally {
    const { json } = await ask(cluster, "GET", `/${name}-*?expand_wildcards=all`);
    for (const index of Object.keys(json as object)) await ask(cluster, "DELETE", `/${index}`);
    const query = { query: { term: { connection: name } } };
    await ask(cluster, "POST", "/framework_migrations/_delete_by_query?refresh=true", query);
    await ask(cluster, "DELETE", `/framework_migrations_lock/_doc/${name}`);
  }
}

/** Writes to an index once, while the cluster copies it. */
function whileCopied(proxy: FaultProxy, write: () => Promise<void>): () => Promise<void> {
  const before = proxy.alter;
  let written: Promise<void> | undefined;
  proxy.alter = (passing) => {
    if (passing.url.startsWith("/_tasks/")) written ??= write();
    return before(passing);
  };
  return async () => await written;
}

for (const cluster of PLAIN_CLUSTERS) {
  for (const phase of ["copy", "comparison"] as const) {
    clusterTest(
      cluster,
      `a copy goes on when its point in time is lost during the ${phase}`,
      () =>
        withIndex(cluster, async ({ name, proxy, migrate, count }) => {
          const points = new Set<string>();
          let isComparing = false;
          proxy.alter = ({ url, body }) => {
            isComparing ||= url.includes("preference=_shards");
            const id = url === "/_search" && JSON.parse(body.toString()).pit?.id;
            if (id) points.add(id);
            return {};
          };
          let lost = 0;
          proxy.fault = {
            kind: "late",
            isDone: false,
            hits: (line) => {
              const isSearch = line === "POST /_search" && points.size > 0;
              return isSearch && isComparing === (phase === "comparison");
            },
            onHit: async () => {
              lost++;
              await ask(cluster, "DELETE", "/_search/point_in_time", { pit_id: [...points] });
            },
          };
          // A document that is deleted during the cluster's copy may be in the new index.
          const deleted = Array.from({ length: 50 }, (_, n) => `{"delete":{"_id":"${n * 7}"}}\n`);
          const isDeleted = whileCopied(proxy, () => bulk(cluster.url, name, deleted));
          const { error, results } = await migrate("keyword");
          await isDeleted();
          assertEquals(error, undefined);
          assertEquals(lost, 1);
          assertEquals(results[0]?.outcome, "reapplied");
          assertEquals(await count(), DOCUMENTS - deleted.length);
        }),
    );
  }

  clusterTest(
    cluster,
    "a search in the point in time that the cluster refuses ends the run, and the next one continues",
    () =>
      withIndex(cluster, async ({ proxy, migrate, count }) => {
        const before = proxy.alter;
        proxy.alter = ({ url, body }) => {
          const isInPoint = url === "/_search" && JSON.parse(body.toString()).pit;
          return isInPoint ? { body: Buffer.from('{"unknown":{}}'.padEnd(body.length)) } : {};
        };
        proxy.fault = {
          kind: "late",
          isDone: false,
          hits: (line) => line.startsWith("GET /_tasks/"),
          onHit: () => delay(500),
        };
        const { error } = await migrate("keyword");
        assertStringIncludes(`${error?.message}`, "unknown");
        // The copy, which the cluster makes meanwhile, must not be followed after the end of the run.
        const sent = [...proxy.requests];
        await delay(1500);
        assertEquals(proxy.requests, sent);
        proxy.fault = undefined;
        proxy.alter = before;
        assertEquals((await migrate("keyword")).error, undefined);
        assertEquals(await count(), DOCUMENTS);
      }),
  );

  clusterTest(
    cluster,
    "a write block during the first copy is named at once, and the next run continues",
    () =>
      withIndex(cluster, async ({ name, proxy, migrate, count }) => {
        let [blocked, copies] = ["", 0];
        const block = (value: boolean | null) =>
          ask(cluster, "PUT", `/${blocked}/_settings`, { "index.blocks.write": value });
        proxy.alter = ({ url }) => {
          if (url.startsWith("/_reindex")) copies++;
          return {};
        };
        proxy.fault = {
          kind: "late",
          isDone: false,
          hits: (line) => line.startsWith("POST /_reindex"),
          onHit: async () => {
            const { json } = await ask(cluster, "GET", `/${name}-*/_alias/irori-copy-*`);
            blocked = Object.keys(json as object)[0]!;
            await block(true);
          },
        };
        const { error } = await migrate("keyword");
        assertInstanceOf(error, MigrationFailedError);
        for (const part of [`'${blocked}'`, '"index.blocks.write": null']) {
          assertStringIncludes(error.message, part);
        }
        assertEquals(copies, 1);
        proxy.fault = undefined;
        await block(null);
        assertEquals((await migrate("keyword")).error, undefined);
        assertEquals(await count(), DOCUMENTS);
      }),
  );

  clusterTest(
    cluster,
    "a foreign block on the new index is named, and the next run continues",
    () =>
      withIndex(cluster, async ({ name, proxy, migrate, count }) => {
        const written = whileCopied(
          proxy,
          () => bulk(cluster.url, name, lines(DOCUMENTS, DOCUMENTS + 20)),
        );
        let blocked = "";
        const block = (value: boolean | null) =>
          ask(cluster, "PUT", `/${blocked}/_settings`, { "index.blocks.write": value });
        proxy.fault = {
          kind: "late",
          isDone: false,
          hits: (line) => /^POST \/irori-copy-[^/]*\/_bulk/.test(line),
          onHit: async () => {
            const { json } = await ask(cluster, "GET", `/${name}-*/_alias/irori-copy-*`);
            blocked = Object.keys(json as object)[0]!;
            await block(true);
          },
        };
        const { error } = await migrate("keyword");
        await written();
        assertInstanceOf(error, MigrationFailedError);
        for (const part of [`'${blocked}'`, '"index.blocks.write": null']) {
          assertStringIncludes(error.message, part);
        }
        assertEquals([error.connection, error.file], [name, `${name}.json`]);
        proxy.fault = undefined;
        await block(null);
        assertEquals((await migrate("keyword")).error, undefined);
        assertEquals(await count(), DOCUMENTS + 20);
      }),
  );
}

function lines(from: number, to: number): readonly string[] {
  return Array.from(
    { length: to - from },
    (_, n) => `{"index":{"_id":"${from + n}"}}\n{"n":${from + n}}\n`,
  );
}

async function bulk(url: string, index: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(`${url}/${index}/_bulk?refresh=true`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join(""),
  });
  assertEquals((await response.json()).errors, false);
}
