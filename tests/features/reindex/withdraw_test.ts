import { assertEquals } from "@std/assert";
import { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";
import {
  copyMarker,
  type CopyState,
  newCopy,
  ofNewRun,
} from "../../../src/features/reindex/copy_state.ts";
import { IndexPair } from "../../../src/features/reindex/pair.ts";
import { ask, clusterTest, PLAIN } from "../../servers/real.ts";
import { connectionTo, openClient } from "../../migrations/search/runner.ts";

/** A copy that is being made, by a run whose lock another one has taken. */
interface UnfinishedCopy {
  readonly pair: IndexPair;
  readonly state: CopyState;
  make(): Promise<boolean>;
  /** Indices, and the aliases of each that are of copies. */
  found(): Promise<Readonly<Record<string, readonly string[]>>>;
}

function test(name: string, work: (place: UnfinishedCopy) => Promise<void>): void {
  clusterTest(PLAIN, `withdraw() ${name}`, async () => {
    const name = `w${crypto.randomUUID().slice(0, 8)}`;
    const cluster = new Cluster(connectionTo(PLAIN.url), openClient());
    const pair = new IndexPair(cluster, () => Promise.resolve());
    const [from, to] = [`${name}-1`, `${name}-2`];
    const state = newCopy({ hash: "h", name, from, to, pipeline: undefined, pinned: [] });
    try {
      await ask(PLAIN, "PUT", `/${from}`, { settings: { number_of_replicas: 0 } });
      await work({
        pair,
        state,
        make: () => pair.make(state, JSON.stringify({ aliases: IndexPair.aliases(state) })),
        async found() {
          const { json } = await ask(PLAIN, "GET", `/${name}-*?expand_wildcards=all`);
          const indices = Object.entries(json as Record<string, { aliases: object }>);
          return Object.fromEntries(
            indices.map(([index, { aliases }]) => [index.slice(-1), Object.keys(aliases).sort()]),
          );
        },
      });
    } finally {
      for (const index of [from, to]) await ask(PLAIN, "DELETE", `/${index}`);
      await cluster.close();
    }
  });
}

test("takes back the index and the mark", async ({ pair, state, make, found }) => {
  await pair.mark(state);
  await make();
  await pair.withdraw(state);
  assertEquals(await found(), { 1: [] });
});

test("takes the index back that was made after another run took the mark off", async (place) => {
  const { pair, state, make, found } = place;
  await pair.mark(state);
  await pair.undo(state, false);
  await make();
  await pair.withdraw(state);
  assertEquals(await found(), { 1: [] });
});

test("restores the index whose original was deleted meanwhile", async (place) => {
  const { pair, state, make, found } = place;
  await pair.mark(state);
  await make();
  await ask(PLAIN, "DELETE", `/${state.from}`);
  await pair.withdraw(state);
  assertEquals(await found(), {});
});

test("leaves what another run has taken over", async ({ pair, state, make, found }) => {
  await pair.mark(state);
  await make();
  const next = ofNewRun(state);
  assertEquals(await pair.takeOver(next), true);
  const before = await found();
  assertEquals(before["2"]?.includes(copyMarker(next)), true);
  await pair.withdraw(state);
  assertEquals(await found(), before);
});
