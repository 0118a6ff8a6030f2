/** Tests the journal's records of work with many steps, and of interrupted runs. */
import { assertEquals } from "@std/assert";
import type { Attempt, Journal } from "../../../src/migrations/runner/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { connectionTo, targetOf } from "./runner.ts";

const FILE = "orders.json";
const OTHER_HASH = "b".repeat(64);
const HASH = "a".repeat(64);
const EXECUTED_AT = new Date("2026-03-04T05:06:07.089Z");
const LEASE_MS = 300;

/** As an executor may write it: nested, with lists, long numbers and words that other fields have. */
const RESUME = {
  phase: "copying",
  names: { old: "orders-0", copy: "orders-1a2b3c4d-1" },
  notes: [9_007_199_254_740_991, 0],
  state: { deep: [{ hash: null }] },
};

const attempt: Attempt = { hash: HASH, state: "running", repeatSafe: true, resume: RESUME };

for (const [name, test] of Object.entries({ resume, leftBehind, values })) {
  Deno.test(`IndexJournal keeps ${name} (double)`, async () => {
    await using double = startClusterDouble();
    await test(double.url, "logs");
  });
  clusterTest(PLAIN, `IndexJournal keeps ${name}`, async ({ url }) => {
    await test(url, `r${crypto.randomUUID().slice(0, 8)}`);
  });
}

async function resume(url: string, name: string): Promise<void> {
  await withJournal(url, name, "dying", async (journal) => {
    const announced = { ...attempt, state: "announced" } as const;
    const { resume: _, ...fresh } = announced;
    await journal.lock(
      await journal.read([FILE]),
      () => Promise.resolve(new Map([[FILE, fresh]])),
    );
    await journal.write([{ path: FILE, attempt: { ...attempt, resume: { phase: "begun" } } }]);
    await journal.write([{ path: FILE, attempt }]);
    // Killed: nothing is given back.
  });
  await withJournal(url, name, "heir", async (journal) => {
    await journal.lock(await journal.read([]), ({ entries }) => {
      assertEquals(entries.get(FILE)?.attempt?.resume, RESUME);
      return Promise.resolve(new Map());
    });
    await journal.unlock();
  });
  // One that had other things to do has kept it, and so does one that announces the file again.
  await withJournal(url, name, "next", async (journal) => {
    await journal.lock(
      await journal.read([FILE]),
      ({ entries }) => Promise.resolve(new Map([[FILE, entries.get(FILE)!.attempt!]])),
    );
    await journal.unlock();
  });
  await withJournal(url, name, "last", async (journal) => {
    assertEquals((await journal.read([])).entries.get(FILE)?.attempt?.resume, RESUME);
    await journal.lock(await journal.read([FILE]), () => Promise.resolve(new Map()));
    await journal.write([{ path: FILE }]);
    await journal.unlock();
    assertEquals((await journal.read([FILE])).entries.get(FILE)?.attempt, undefined);
  });
}

async function leftBehind(url: string, name: string): Promise<void> {
  const applied = { hash: HASH, executedAt: EXECUTED_AT };
  await withJournal(url, name, "me", async (journal) => {
    const write = async (leftBehind?: readonly string[]) => {
      await journal.lock(await journal.read([FILE]), () => Promise.resolve(new Map()));
      await journal.write([{
        path: FILE,
        applied: { ...applied, ...(leftBehind && { leftBehind }) },
      }]);
      await journal.unlock();
      return (await journal.read([FILE])).entries.get(FILE)?.applied?.leftBehind;
    };
    assertEquals(await write(), undefined);
    // The same content at the same time, and yet another record.
    assertEquals(await write(["orders-0", "orders-1"]), ["orders-0", "orders-1"]);
    assertEquals(await write(["orders-1"]), ["orders-1"]);
    assertEquals((await journal.list()).get(FILE)?.applied?.leftBehind, ["orders-1"]);
    assertEquals(await write([]), []);
  });
}

async function values(url: string, name: string): Promise<void> {
  const values = { hash: OTHER_HASH, secrets: "0f" };
  const applied = { hash: HASH, executedAt: EXECUTED_AT, values };
  const begun: Attempt = { hash: HASH, state: "running", repeatSafe: false, values };
  await withJournal(url, name, "me", async (journal) => {
    await journal.lock(await journal.read([FILE]), () => Promise.resolve(new Map()));
    await journal.write([{ path: FILE, applied }]);
    await journal.unlock();
    assertEquals((await journal.read([FILE])).entries.get(FILE)?.applied?.values, values);
    assertEquals((await journal.list()).get(FILE)?.applied?.values, values);
  }, 30_000);
  await withJournal(url, name, "dying", async (journal) => {
    // The same bytes with other values are not recorded yet.
    const other = { ...begun, values: { hash: HASH } };
    await journal.lock(
      await journal.read([FILE]),
      () => Promise.resolve(new Map([[FILE, { ...other, state: "announced" }]])),
    );
    // Killed: nothing is given back.
  });
  await withJournal(url, name, "heir", async (journal) => {
    await journal.lock(await journal.read([FILE]), ({ entries }) => {
      const { applied, attempt } = entries.get(FILE) ?? {};
      assertEquals(applied?.values, values);
      assertEquals([attempt?.state, attempt?.values], ["running", { hash: HASH }]);
      return Promise.resolve(new Map());
    });
    // Recorded without any, the earlier values were dropped.
    await journal.write([{ path: FILE, applied: { hash: HASH, executedAt: EXECUTED_AT } }]);
    await journal.unlock();
  });
}

/** Opens a session, and closes it as the death of its process does. */
async function withJournal(
  url: string,
  name: string,
  owner: string,
  work: (journal: Journal) => Promise<void>,
  leaseMs = LEASE_MS,
): Promise<void> {
  const target = targetOf({ ...connectionTo(url), name, timeoutMs: 30_000 }, {
    owner,
    lockTimeoutMs: 30_000,
    leaseMs,
  });
  const session = await target.open();
  try {
    await work(session.journal);
  } finally {
    await session.close();
  }
}
