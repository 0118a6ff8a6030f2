import { assertEquals, assertRejects } from "@std/assert";
import type { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";
import { IndexDocuments } from "../../../src/features/reindex/documents.ts";
import { Deletions } from "../../../src/features/reindex/deletions.ts";

Deno.test("Deletions.note + sends no further request when the copy beside it has failed", async () => {
  const stop = new AbortController();
  let searches = 0;
  const send = ({ path }: { readonly path: string }) => {
    if (path.includes("/_search/point_in_time")) {
      return Promise.resolve(answer({ pit_id: "p" }));
    }
    searches++;
    stop.abort(new Error("the copy has failed"));
    const none = { doc_count: 60_000, all: { buckets: [] } };
    return Promise.resolve(
      answer({
        _shards: { successful: 1, failed: 0 },
        timed_out: false,
        aggregations: { here: none, near: none, far: none },
      }),
    );
  };
  const index = new IndexDocuments({ send } as unknown as Cluster, "logs");
  const deletions = await Deletions.begin(index, 10);

  await assertRejects(
    () => deletions!.note({ 0: 1_000_000 }, stop.signal),
    Error,
    "the copy has failed",
  );

  assertEquals(searches, 1);
});

function answer(json: unknown) {
  return { status: 200, json, text: JSON.stringify(json) };
}
