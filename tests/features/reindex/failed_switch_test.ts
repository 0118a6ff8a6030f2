import { assertEquals, assertRejects } from "@std/assert";
import type { IndexChange } from "../../../src/features/reindex/change.ts";
import {
  copyMarker,
  CopyRecord,
  type CopyState,
  copyTarget,
  newCopy,
  sourceMarker,
} from "../../../src/features/reindex/copy_state.ts";
import { IndexPair } from "../../../src/features/reindex/pair.ts";
import { PauseOverError, WritePause } from "../../../src/features/reindex/pause.ts";
import { STEPS } from "../../../src/features/reindex/steps.ts";
import type { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";

/** The two indices of a copy in a cluster in memory, which a write block stands on. */
class CopiedPair {
  readonly aliases: Record<string, Set<string>>;
  readonly record: CopyRecord;
  isBlocked = true;
  /** Whether the cluster answers reads of an index. */
  isReadable = true;

  constructor(step: CopyState["step"]) {
    const about = { hash: "h", name: "orders", from: "orders-1", to: "orders-2", pinned: [] };
    const state = { ...newCopy({ ...about, pipeline: undefined }), step };
    this.record = new CopyRecord(state, () => Promise.resolve());
    this.aliases = {
      "orders-1": new Set(["orders", sourceMarker(state)]),
      "orders-2": new Set([copyMarker(state), copyTarget(state)]),
    };
  }

  /** Replaces the old index by the new one. */
  switchOver(): void {
    Object.assign(this.aliases, {
      "orders-1": new Set<string>(),
      "orders-2": new Set(["orders"]),
    });
  }

  async afterFailure(error: Error, sent?: object) {
    const cluster = { send: (request: Sent) => Promise.resolve(this.#answer(request)) };
    const pair = new IndexPair(cluster as unknown as Cluster, () => Promise.resolve());
    const change = { pair, record: this.record, work: {} } as unknown as IndexChange;
    const pause = new WritePause(undefined);
    const failed = { rounds: {}, pause, attempt: 3, error, sent };
    return await STEPS.unblock(change, failed as unknown as Parameters<typeof STEPS.unblock>[1]);
  }

  #answer({ method, path, body = "" }: Sent) {
    const [, name = ""] = path.split(/[/?]/);
    const answer = (status: number, json: unknown) => {
      return { status, json, text: JSON.stringify(json), host: "h" };
    };
    if (path === "/_aliases") return answer(200, this.#change(JSON.parse(body)));
    if (path.startsWith("/_cluster/state/blocks/orders-1")) {
      const indices = this.isBlocked ? { "orders-1": { 8: {} } } : {};
      return answer(200, { blocks: { indices } });
    }
    if (method === "GET") {
      if (!this.isReadable) return answer(503, { error: { type: "exception", reason: "no" } });
      const aliases = Object.fromEntries([...this.aliases[name]!].map((alias) => [alias, {}]));
      return answer(200, { [name]: { aliases } });
    }
    if (!this.aliases["orders-1"]!.has(name)) return answer(404, {});
    this.isBlocked = path.endsWith("_block/write");
    return answer(200, { acknowledged: true, shards_acknowledged: true });
  }

  #change({ actions }: { readonly actions: readonly Record<string, AliasChange>[] }) {
    for (const { add, remove } of actions) {
      if (remove) this.aliases[remove.index]!.delete(remove.alias);
      if (add) this.aliases[add.index]!.add(add.alias);
    }
    return { acknowledged: true };
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

interface AliasChange {
  readonly index: string;
  readonly alias: string;
}

Deno.test("STEPS.unblock() + lifts the block although the cluster cannot assign the copy to the run", async () => {
  const copied = new CopiedPair("block");
  copied.isReadable = false;
  await assertRejects(() => copied.afterFailure(new PauseOverError("it lasts")));
  assertEquals(copied.isBlocked, false);
});

Deno.test("STEPS.unblock() + finishes a switch whose answer was lost while the owner blocks writes", async () => {
  const copied = new CopiedPair("catchUp");
  copied.switchOver();
  const sent = {};
  const next = await copied.afterFailure(new Error("the answer was lost"), sent);
  assertEquals([next.step, next.given], ["finish", sent]);
});

Deno.test("STEPS.unblock() + leaves the block of the owner, and lets no earlier switch come after it", async () => {
  const copied = new CopiedPair("catchUp");
  const { current } = copied.record;
  await assertRejects(() => copied.afterFailure(new Error("lost"), {}), Error, "lost");
  assertEquals(copied.isBlocked, true);
  assertEquals(copied.aliases["orders-2"]!.has(copyMarker(current)), false);
});

Deno.test("WritePause + ends for the reason of a stop", async () => {
  const stop = new AbortController();
  const pause = new WritePause(stop.signal);
  pause.begin(60_000);
  const reason = new Error("stopped");
  const waiting = pause.within(() => new Promise(() => {}));
  stop.abort(reason);
  assertEquals(await waiting.catch((error) => error), reason);
});
