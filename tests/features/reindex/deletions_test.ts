import { assertEquals } from "@std/assert";
import { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";
import { Deletions } from "../../../src/features/reindex/deletions.ts";
import { type DocumentKey, IndexDocuments } from "../../../src/features/reindex/documents.ts";
import { KeyComparison } from "../../../src/features/reindex/key_comparison.ts";
import { SeqNos } from "../../../src/features/reindex/seq_nos.ts";
import { ask, clusterTest, PLAIN } from "../../servers/real.ts";
import { connectionTo, openClient } from "../../migrations/search/runner.ts";

/** An index of two shards with documents `0` to `n - 1`, each third with a routing. */
async function withIndex(
  documents: number,
  work: (cluster: Cluster, index: string) => Promise<void>,
): Promise<void> {
  const index = `d${crypto.randomUUID().slice(0, 8)}`;
  const cluster = new Cluster(connectionTo(PLAIN.url), openClient());
  try {
    const settings = { number_of_shards: 2, number_of_replicas: 0 };
    await ask(PLAIN, "PUT", `/${index}`, { settings });
    await write(cluster, index, Array.from({ length: documents }, (_, number) => number));
    await work(cluster, index);
  } finally {
    await ask(PLAIN, "DELETE", `/${index}`);
    await cluster.close();
  }
}

const routingOf = (number: number) => number % 3 === 0 ? { routing: `r${number % 5}` } : {};

async function bulk(cluster: Cluster, index: string, lines: readonly string[]): Promise<void> {
  const path = `/${index}/_bulk?refresh=true`;
  const body = lines.join("");
  await cluster.send({ method: "POST", path, body, contentType: "application/x-ndjson" }, {
    repeatSafe: true,
  });
}

function write(cluster: Cluster, index: string, numbers: readonly number[]): Promise<void> {
  return bulk(
    cluster,
    index,
    numbers.map((number) =>
      `${
        JSON.stringify({ index: { _id: String(number), ...routingOf(number) } })
      }\n{"n":${number}}\n`
    ),
  );
}

function remove(cluster: Cluster, index: string, numbers: readonly number[]): Promise<void> {
  return bulk(
    cluster,
    index,
    numbers.map((number) =>
      `${JSON.stringify({ delete: { _id: String(number), ...routingOf(number) } })}\n`
    ),
  );
}

const ids = (keys: readonly DocumentKey[]) =>
  keys.map(({ id }) => Number(id)).sort((a, b) => a - b);

clusterTest(PLAIN, "Deletions finds what is deleted, whatever happened to it before", async () => {
  await withIndex(300, async (cluster, index) => {
    const there = new IndexDocuments(cluster, index, 2);
    const { written } = await there.progress();
    const deletions = await Deletions.begin(there, 300);
    await deletions!.note(written);
    const all = new Set(Array.from({ length: 300 }, (_, number) => number));
    /** Keys that are reported as deleted, and that the old index still has or not. */
    const find = async () => {
      const asked: DocumentKey[] = [];
      await there.refresh();
      await deletions!.reconcile((keys) => {
        asked.push(...keys);
        return Promise.resolve(keys.filter(({ id }) => !all.has(Number(id))));
      }, () => {});
      return ids(asked);
    };
    assertEquals(await find(), []);

    await remove(cluster, index, [3, 4]);
    for (const number of [3, 4]) all.delete(number);
    // Changed, and not seen by a round yet.
    await write(cluster, index, [10, 11]);
    assertEquals(await find(), [3, 4, 10, 11]);

    // One of those goes before a round has seen it; one that is new comes and goes after a round.
    await remove(cluster, index, [10]);
    all.delete(10);
    await write(cluster, index, [500, 501]);
    for (const shard of ["0", "1"]) {
      const after = written[shard]!;
      deletions!.arrived(shard, await there.page({ shard, after, size: 100 }));
    }
    await remove(cluster, index, [500]);
    const asked = await find();
    assertEquals([10, 500].every((number) => asked.includes(number)), true, String(asked));
    assertEquals(asked.includes(501), false);
    await deletions!.end();
  });
});

clusterTest(PLAIN, "readSeqNos() and goneSeqNos() tell the numbers of sparse shards", async () => {
  await withIndex(50, async (cluster, index) => {
    // Numbers go up, and documents do not become more.
    for (let round = 0; round < 20; round++) {
      await write(cluster, index, Array.from({ length: 10 }, (_, number) => number));
    }
    const there = new IndexDocuments(cluster, index, 2);
    const { written } = await there.progress();
    let documents = 0;
    for (const [shard, upTo] of Object.entries(written)) {
      const source = new SeqNos(cluster, there.searchIn(shard));
      const numbers = await source.upTo(upTo);
      const page = await there.page({ shard, after: -1, size: 100 });
      assertEquals(numbers, page.map(({ seqNo }) => seqNo));
      documents += numbers.length;
      assertEquals(await source.gone(numbers, 1), []);
      const [first] = page;
      await remove(cluster, index, [Number(first!.id)]);
      assertEquals(await source.gone(numbers, 1), [first!.seqNo]);
    }
    assertEquals(documents, 50);
  });
});

clusterTest(
  PLAIN,
  "KeyComparison finds what only one side has, in one part or in many",
  async () => {
    await withIndex(200, async (cluster, from) => {
      await withIndex(200, async (_, to) => {
        await remove(cluster, from, [1, 2, 3]);
        await remove(cluster, to, [7, 8]);
        const side = (index: string) => new IndexDocuments(cluster, index, 2);
        for (const total of [200, 9_000_000]) {
          const comparison = new KeyComparison(side(from), side(to), 50, total, () => {});
          await comparison.prepare();
          const [extra, missing]: DocumentKey[][] = [[], []];
          await comparison.compare({
            page: 10,
            removeExtra: (keys) => {
              extra!.push(...keys);
              return Promise.resolve(keys);
            },
            addMissing: (keys) => {
              missing!.push(...keys);
              return Promise.resolve();
            },
          });
          assertEquals([ids(extra!), ids(missing!)], [[1, 2, 3], [7, 8]]);
        }
      });
    });
  },
);
