import { journalCases, type JournalFixture } from "../../contracts/journal.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { countingProxy } from "../../servers/counting_proxy.ts";
import { ask, CLUSTERS, clusterTest, SECURE } from "../../servers/real.ts";
import { connectionTo, targetOf } from "./runner.ts";

/** Long enough for a slow machine to renew it, short enough to wait until it has run out. */
const LEASE_MS = 1500;

for (const { name, run } of journalCases) {
  Deno.test(`a journal ${name} (double)`, async () => {
    await using double = startClusterDouble();
    const lines = () => double.requests.map(({ line }) => line);
    await run({ ...fixtureOf(double.url, "logs", 300, lines), ...nothing });
  });
}

for (const cluster of CLUSTERS.filter((cluster) => cluster !== SECURE)) {
  for (const { name, run } of journalCases) {
    clusterTest(cluster, `a journal ${name}`, async () => {
      const connection = `j${crypto.randomUUID().slice(0, 8)}`;
      await using proxy = await countingProxy(cluster.url);
      try {
        await run({
          ...fixtureOf(proxy.url, connection, LEASE_MS, () => proxy.requests),
          ...nothing,
        });
      } finally {
        await ask(cluster, "DELETE", `/_index_template/${connection}*`);
        await ask(cluster, "DELETE", `/${connection}*`);
      }
    });
  }
}

const nothing = { [Symbol.asyncDispose]: () => Promise.resolve() };

function fixtureOf(
  url: string,
  connection: string,
  leaseMs: number,
  requests: () => readonly string[],
): Omit<JournalFixture, typeof Symbol.asyncDispose> {
  const put = (thing: string) => `/_index_template/${connection}-${thing}`;
  const post = (thing: string) => `/${connection}-${thing}/_doc`;
  return {
    extension: ".json",
    target(owner, { lockTimeoutMs = 30_000, other = false } = {}) {
      const name = other ? `${connection}-other` : connection;
      const to = { ...connectionTo(url), name, timeoutMs: 30_000 };
      return targetOf(to, { owner, lockTimeoutMs, leaseMs });
    },
    kill: (session) => session.close(),
    files: {
      safe: (thing) =>
        JSON.stringify({
          method: "PUT",
          path: put(thing),
          body: { index_patterns: [`${connection}-${thing}-x`] },
        }),
      once: (thing) => JSON.stringify({ method: "POST", path: post(thing), body: { a: 1 } }),
      refused: JSON.stringify({ method: "PUT", path: `/${connection}-none/_mapping`, body: {} }),
    },
    count: (thing) =>
      Promise.resolve(
        requests().filter((line) => line === `PUT ${put(thing)}` || line === `POST ${post(thing)}`)
          .length,
      ),
  };
}
