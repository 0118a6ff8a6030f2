import { assertEquals } from "@std/assert";
import { Cluster } from "../../../src/migrations/search/cluster/cluster.ts";
import { Destination } from "../../../src/features/reindex/arrivals.ts";
import { IndexDocuments } from "../../../src/features/reindex/documents.ts";
import { ask, clusterTest, PLAIN } from "../../servers/real.ts";
import { connectionTo, openClient } from "../../migrations/search/runner.ts";

clusterTest(
  PLAIN,
  "arrive() replaces what has a higher version, again and again",
  async ({ url }) => {
    const index = `a${crypto.randomUUID().slice(0, 8)}`;
    const marker = `${index}-marker`;
    const cluster = new Cluster(connectionTo(url), openClient());
    try {
      await ask(PLAIN, "PUT", `/${index}`, {
        settings: { number_of_replicas: 0, refresh_interval: "-1", "index.gc_deletes": "0s" },
        aliases: { [marker]: {} },
      });
      const there = new IndexDocuments(cluster, index);
      const check = () => Promise.resolve();
      const to = new Destination(there, there, marker, check);
      const keys = Array.from({ length: 20 }, (_, number) => ({ id: `d${number}` }));
      // Each time with a lower version: what was deleted just now must not be in the way.
      for (let version = 9; version > 0; version--) {
        const documents = keys.map((key) => {
          return { ...key, version: String(version), seqNo: 0, source: `{"v":${version}}` };
        });
        await to.arrive(documents);
        await to.arrive(documents);
        const found = await there.byKey(keys);
        assertEquals(found.map((document) => document?.source), keys.map(() => `{"v":${version}}`));
      }
    } finally {
      await ask(PLAIN, "DELETE", `/${index}`);
      await cluster.close();
    }
  },
);

clusterTest(
  PLAIN,
  "arrive() keeps the text of sources and versions beyond 2^53",
  async ({ url }) => {
    const index = `a${crypto.randomUUID().slice(0, 8)}`;
    const cluster = new Cluster(connectionTo(url), openClient());
    try {
      await ask(PLAIN, "PUT", `/${index}`, {
        settings: { number_of_replicas: 0 },
        mappings: { dynamic: false },
        aliases: { [`${index}-m`]: {} },
      });
      const there = new IndexDocuments(cluster, index);
      const check = () => Promise.resolve();
      const to = new Destination(there, there, `${index}-m`, check);
      const document = {
        id: 'a"/\\ü\u{1f600}',
        routing: "r 1",
        version: "9007199254740993",
        seqNo: 0,
        source: '{"n":12345678901234567890,"f":1.0,"t":"a  b","e":{}}',
      };
      await to.arrive([document]);
      const [found] = await there.byKey([document]);
      assertEquals({ ...found, seqNo: 0 }, document);
      await to.arrive([document]);
      assertEquals((await there.byKey([document]))[0]?.seqNo, found?.seqNo);
    } finally {
      await ask(PLAIN, "DELETE", `/${index}`);
      await cluster.close();
    }
  },
);
