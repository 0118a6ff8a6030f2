import { assertEquals, assertRejects } from "@std/assert";
import { LockedError } from "../../../src/migrations/runner/mod.ts";
import { journalCases, type JournalFixture } from "../../contracts/journal.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { countingProxy } from "../../servers/counting_proxy.ts";
import { faultProxy } from "../../servers/fault_proxy.ts";
import { ask, clusterTest, PLAIN_CLUSTERS } from "../../servers/real.ts";
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

for (const cluster of PLAIN_CLUSTERS) {
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

Deno.test("a journal + is not held any more when its lease could not be renewed (double)", async () => {
  await using double = startClusterDouble();
  await outliveLease(double.url, "logs");
});

for (const cluster of PLAIN_CLUSTERS) {
  const name = "a journal + is not held any more when its lease could not be renewed";
  clusterTest(cluster, name, ({ url }) => outliveLease(url, `j${crypto.randomUUID().slice(0, 8)}`));
}

Deno.test("a journal + stays unlocked when an attempt is saved beside and after unlock() (double)", async () => {
  await using double = startClusterDouble();
  const target = targetOf({ ...connectionTo(double.url), name: "logs" });
  const session = await target.open();
  const { journal } = session;
  await journal.lock(await journal.read(["a.json"]), () => Promise.resolve(new Map()));
  const save = (task: string) => {
    const attempt = { ...ATTEMPT, task };
    return assertRejects(() => journal.write([{ path: "a.json", attempt }]), LockedError);
  };
  const beside = save("1");
  await Promise.all([journal.unlock(), beside]);
  await save("2");
  await save("3");
  await session.close();
  const next = await target.open();
  assertEquals((await next.journal.read(["a.json"])).lockedBy, undefined);
  await next.close();
});

const ATTEMPT = { hash: "0".repeat(64), owner: "test-1-a", state: "running" } as const;

/** Fails every renewal of a lease until the lease is over. */
async function outliveLease(url: string, name: string): Promise<void> {
  await using proxy = await faultProxy(url);
  let missed = 0;
  const over = Promise.withResolvers<void>();
  const onNotice = () => {
    // The lease lasts for three heartbeats.
    if (++missed === 4) over.resolve();
  };
  const target = targetOf({ ...connectionTo(proxy.url), name }, { leaseMs: LEASE_MS, onNotice });
  const session = await target.open();
  try {
    const { journal } = session;
    await journal.lock(await journal.read([]), () => Promise.resolve(new Map()));
    await journal.ensureHeld();
    proxy.fault = { kind: 500, isDone: false, hits: () => true, times: Infinity };
    await over.promise;
    await assertRejects(() => journal.ensureHeld(), LockedError, "The lock was lost");
  } finally {
    await session.close();
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
