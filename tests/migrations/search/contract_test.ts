import { type Cluster, searchClusterCases } from "../../contracts/search_cluster.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { ask, clusterTest, CONTRACT_CLUSTERS, type RealCluster } from "../../servers/real.ts";
import { countingProxy } from "../../servers/counting_proxy.ts";
import { connectionTo, openClient } from "./runner.ts";

for (const flavour of ["opensearch", "elasticsearch"] as const) {
  for (const { name, run } of searchClusterCases) {
    Deno.test(`a search cluster ${name} (double of ${flavour})`, async () => {
      await using double = startClusterDouble({ flavour });
      await run({
        connection: connectionTo(double.url),
        environment: {},
        get requests() {
          return double.requests.map(({ line }) => line);
        },
        ask: async (method, path, body) => {
          const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
          const response = await fetch(double.url + path, init);
          return { status: response.status, json: await response.json() };
        },
      });
    });
  }
}

for (const cluster of CONTRACT_CLUSTERS) {
  for (const { name, run } of searchClusterCases) {
    clusterTest(cluster, `a search cluster ${name}`, async () => {
      const connection = `t${crypto.randomUUID().slice(0, 8)}`;
      try {
        if (cluster.ca !== undefined) await run(await secured(cluster, connection));
        else await runCounted(cluster, connection, run);
      } finally {
        await ask(cluster, "DELETE", `/_index_template/${connection}*`);
        await ask(cluster, "DELETE", `/${connection}*`);
      }
    });
  }
}

async function runCounted(
  cluster: RealCluster,
  name: string,
  run: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  await using proxy = await countingProxy(cluster.url);
  await run({
    connection: { ...connectionTo(proxy.url), name, timeoutMs: 30_000 },
    environment: {},
    requests: proxy.requests,
    ask: (method, path, body) => ask(cluster, method, path, body),
  });
}

async function secured(cluster: RealCluster, name: string): Promise<Cluster> {
  const caCert = await Deno.readTextFile(cluster.ca!);
  const requests: string[] = [];
  const authorization = `Basic ${btoa(`admin:${cluster.password}`)}`;
  return {
    connection: { ...connectionTo(cluster.url), name, authorization, timeoutMs: 30_000 },
    environment: {
      openClient: () => {
        const client = openClient({ caCert });
        return Promise.resolve({
          ...client,
          fetch: (url: string, init?: RequestInit) => {
            requests.push(`${init?.method} ${url.slice(cluster.url.length)}`);
            return client.fetch(url, init);
          },
        });
      },
    },
    requests,
    ask: (method, path, body) => ask(cluster, method, path, body),
  };
}
