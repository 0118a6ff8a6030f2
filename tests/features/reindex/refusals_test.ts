import { assertEquals, assertRejects } from "@std/assert";
import type { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";
import { CopyRefusedError } from "../../../src/features/reindex/expect.ts";
import type { LiveIndex } from "../../../src/features/live_indices/live_index.ts";
import {
  refuseOtherServers,
  refuseUnfit,
  shapeProblem,
} from "../../../src/features/reindex/refusals.ts";
import type { SearchRequest } from "../../../src/migrations/search/types.ts";

/** Answers as they were recorded of clusters whose plugins and disks are not at hand. */
function clusterWith(answers: Readonly<Record<string, unknown>>): Cluster {
  const send = ({ path }: SearchRequest) => {
    const found = Object.entries(answers).find(([start]) => path.startsWith(start));
    if (found === undefined) throw new Error(`There is no answer to ${path}`);
    const text = JSON.stringify(found[1]);
    const isError = text.startsWith('{"error"');
    return Promise.resolve({ status: isError ? 400 : 200, text, json: found[1], host: "h" });
  };
  return { send } as unknown as Cluster;
}

const SETTINGS = { writePauseMs: 30_000, oldIndices: "keep" as const };
const NO_PLUGIN = {
  error: "no handler found for uri [/_plugins/_ism/explain/orders] and method [GET]",
};
const nodes = (free: number) => ({
  nodes: {
    a: { roles: ["data", "ingest"], fs: { total: { available_in_bytes: free } } },
    b: { roles: ["cluster_manager"], fs: { total: { available_in_bytes: 1e12 } } },
  },
});
const CLUSTER = {
  "/_nodes/stats": nodes(1e9),
  "/orders/_stats": { _all: { primaries: { store: { size_in_bytes: 1e6 } } } },
  "/orders/_count": { count: 5 },
  "/_plugins/_ism/explain": NO_PLUGIN,
};
const managed = (...actions: object[]) => ({
  ...CLUSTER,
  "/_plugins/_ism/explain": {
    orders: { "index.plugins.index_state_management.policy_id": "p", enabled: true },
    total_managed_indices: 1,
  },
  "/_plugins/_ism/policies/p": {
    _id: "p",
    policy: { states: [{ name: "hot", actions }, { name: "warm", actions: [] }] },
  },
});

function live(index: Partial<LiveIndex> = {}): LiveIndex {
  const answer = { status: 200, text: "{}", json: {}, host: "h" };
  return { name: "orders", settings: {}, mappings: {}, aliases: {}, answer, ...index };
}

Deno.test("refuseUnfit() gives no policy where there is no index state management", async () => {
  assertEquals(await refuseUnfit(clusterWith(CLUSTER), live(), SETTINGS), undefined);
});

Deno.test("refuseUnfit() gives the policy that does no harm", async () => {
  const cluster = clusterWith(
    managed({ force_merge: { max_num_segments: 1 } }, { replica_count: {} }),
  );
  assertEquals(await refuseUnfit(cluster, live(), SETTINGS), "p");
});

for (const action of ["delete", "rollover", "shrink", "close", "read_only", "search_only"]) {
  Deno.test(`refuseUnfit() refuses an index whose policy may ${action} it`, async () => {
    const cluster = clusterWith(managed({ retry: { count: 3 }, [action]: {} }));
    const error = await assertRejects(
      () => refuseUnfit(cluster, live(), SETTINGS),
      CopyRefusedError,
      `the policy 'p' manages it and may run '${action}'`,
    );
    assertEquals(error.message.includes("POST /_plugins/_ism/remove/orders"), true);
  });
}

Deno.test("refuseUnfit() refuses an index whose policy may move it to a remote store", async () => {
  const move = (settings: Record<string, unknown>) =>
    clusterWith(managed({ convert_index_to_remote: { repository: "r", ...settings } }));
  assertEquals(await refuseUnfit(move({}), live(), SETTINGS), "p");
  await assertRejects(
    () => refuseUnfit(move({ delete_original_index: true }), live(), SETTINGS),
    CopyRefusedError,
    "may run 'convert_index_to_remote'",
  );
});

Deno.test("refuseUnfit() refuses an index that has a policy of Elasticsearch", async () => {
  const settings = { "index.lifecycle.name": "logs" };
  await assertRejects(
    () => refuseUnfit(clusterWith(CLUSTER), live({ settings }), SETTINGS),
    CopyRefusedError,
    "the ILM policy 'logs' manages it",
  );
});

Deno.test("refuseUnfit() refuses where the disk is too small for one more copy of each shard", async () => {
  const cluster = clusterWith({ ...CLUSTER, "/_nodes/stats": nodes(1_900_000) });
  assertEquals(await refuseUnfit(cluster, live(), SETTINGS), undefined);
  await assertRejects(
    () => refuseUnfit(cluster, live({ settings: { "index.number_of_replicas": "1" } }), SETTINGS),
    CopyRefusedError,
    "no disk space for a copy of 'orders' (5 documents, 1.0 MB, 2 copies of each shard)",
  );
});

Deno.test("refuseUnfit() refuses '_source' that is derived", async () => {
  const settings = { "index.derived_source.enabled": "true" };
  await assertRejects(
    () => refuseUnfit(clusterWith(CLUSTER), live({ settings }), SETTINGS),
    CopyRefusedError,
    "is derived",
  );
});

Deno.test("refuseUnfit() refuses an index that is closed, or has blocks besides that of writes", async () => {
  const closed = live({ settings: { "index.verified_before_close": "true" } });
  await assertRejects(
    () => refuseUnfit(clusterWith(CLUSTER), closed, SETTINGS),
    CopyRefusedError,
    "it is closed: open it",
  );
  for (const block of ["read_only", "read_only_allow_delete", "metadata", "read"]) {
    const settings = { [`index.blocks.${block}`]: "true" };
    await assertRejects(
      () => refuseUnfit(clusterWith(CLUSTER), live({ settings }), SETTINGS),
      CopyRefusedError,
      `it has the block '${block}'`,
    );
  }
});

Deno.test("refuseOtherServers() refuses what is no OpenSearch", async () => {
  await refuseOtherServers(clusterWith({ "/": { version: { distribution: "opensearch" } } }));
  await assertRejects(
    () => refuseOtherServers(clusterWith({ "/": { version: { number: "7.17.29" } } })),
    CopyRefusedError,
    "the cluster is another product, version 7.17.29",
  );
});

Deno.test("shapeProblem() takes an index of its own name and a version of it, whatever its number", () => {
  for (const name of ["orders", "orders-1a2b3c4d-2", "orders-1a2b3c4d-100000"]) {
    assertEquals(shapeProblem("orders", [live({ name })]), undefined);
  }
  assertEquals(
    shapeProblem("a".repeat(250), [live({ name: "a".repeat(250) })])?.includes("255"),
    true,
  );
});
