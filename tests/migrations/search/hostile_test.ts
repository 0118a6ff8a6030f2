/** Templates, pipelines and settings of a cluster reach the runner's own indices: each file is applied once, or none is. */
import { assertEquals, assertMatch } from "@std/assert";
import { ask, clusterTest, ELASTICSEARCH, PLAIN, type RealCluster } from "../../servers/real.ts";
import { renamingProxy } from "../../servers/renaming_proxy.ts";
import { depth } from "../../long/mod.ts";
import { HOSTILE, type Hostile, makeHostile, removeHostile } from "./hostile_cases.ts";
import { apply, connectionTo, standing } from "./runner.ts";

/** The longest that a run may take, with locks of a second. */
const LIMIT_MS = 30_000;

async function tryHostile(cluster: RealCluster, hostile: Hostile): Promise<void> {
  const own = `hostile${crypto.randomUUID().slice(0, 8)}`;
  const docs = `docs${own.slice(7)}`;
  const count = async () => {
    const { json } = await ask(cluster, "POST", `/${docs}/_search?ignore_unavailable=true&size=0`);
    return (json as { hits: { total: { value: number } } }).hits.total.value;
  };
  const files = {
    "1.json": JSON.stringify({
      method: "POST",
      path: `/${docs}/_doc?refresh=true`,
      body: { a: 1 },
    }),
    "2.json": JSON.stringify({
      method: "POST",
      path: `/${docs}/_doc?refresh=true`,
      body: { a: 2 },
    }),
  };
  await using proxy = renamingProxy(cluster.url, "framework_migrations", own);
  const connection = { ...connectionTo(proxy.url), timeoutMs: 30_000 };
  const migrate = (owner: string) =>
    apply(connection, files, { owner, lockTimeoutMs: 5000, leaseMs: 3000 });
  try {
    await makeHostile(cluster, own, hostile);
    const { outcome, elasticsearch = outcome } = hostile;
    const expected = ELASTICSEARCH.includes(cluster) ? elasticsearch : outcome;
    const started = performance.now();
    const reports = await Promise.all(["a", "b"].map(migrate));
    reports.push(await migrate("c"));
    assertEquals(performance.now() - started < LIMIT_MS, true);
    const errors = reports.map(({ error }) => error?.message);
    if (expected === "works") {
      assertEquals(errors, [undefined, undefined, undefined]);
      assertEquals([await count(), reports[2]!.requests], [2, 1]);
      const { files: found } = await standing(connection, files);
      assertEquals(found.map(({ state }) => state), ["applied", "applied"]);
    } else {
      for (const error of errors) assertMatch(String(error), expected);
      assertEquals(await count(), 0);
      if (!/'_none'/.test(errors[0]!) || hostile.processors === undefined) return;
      // The way out that the message names.
      const body = { "index.default_pipeline": "_none", "index.final_pipeline": "_none" };
      await ask(cluster, "PUT", `/${own}*/_settings`, body);
      assertEquals((await migrate("d")).error, undefined);
      assertEquals(await count(), 2);
    }
  } finally {
    await removeHostile(cluster, own);
    await ask(cluster, "DELETE", `/${docs}`);
  }
}

for (const cluster of [PLAIN, ...ELASTICSEARCH]) {
  const cases = HOSTILE.filter((_, index) => index % depth(8, 2, 1) === 0);
  for (const hostile of cases) {
    // The servers of Elasticsearch have no modules, and so no processors.
    const isOther = hostile.processors !== undefined || hostile.isOpenSearch;
    if (isOther && ELASTICSEARCH.includes(cluster)) continue;
    const state = hostile.isOld ? "existing indices with" : "a template with";
    clusterTest(
      cluster,
      `a run on a cluster whose own indices: ${state} ${hostile.name}`,
      () => tryHostile(cluster, hostile),
    );
  }
}
