import { assertEquals } from "@std/assert";
import { candidates } from "../../../src/features/policy_attach/unmanaged_indices.ts";
import { CLUSTER } from "../../../src/migrations/search/offers.ts";
import { connectionTo, withSession } from "../../migrations/search/runner.ts";
import { ask, clusterTest, PLAIN } from "../../servers/real.ts";

clusterTest(
  PLAIN,
  "candidates + knows the data streams, and leaves out closed and hidden indices and those of the runner",
  async () => {
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    const template = { index_patterns: [`${name}-stream`], data_stream: {} };
    try {
      for (
        const [method, path, body] of [
          ["PUT", `/_index_template/${name}`, template],
          ["PUT", `/_data_stream/${name}-stream`],
          ["POST", `/${name}-stream/_rollover`],
          ["PUT", `/${name}-plain`],
          ["PUT", `/${name}-hidden`, { settings: { "index.hidden": true } }],
          ["PUT", `/.${name}-dot`],
          ["PUT", `/${name}-closed`],
          ["POST", `/${name}-closed/_close`],
        ] as const
      ) assertEquals((await ask(PLAIN, method, path, body)).status, 200);
      const connection = connectionTo(PLAIN.url);
      const found = await withSession(connection, {}, async (session) => {
        return await candidates(CLUSTER.of(session)!);
      });
      const own = found.filter((one) => one.name.includes(name))
        .map(({ name, matchedName }) => [name, matchedName]);
      assertEquals(own.toSorted(), [
        [`.ds-${name}-stream-000001`, `${name}-stream`],
        [`.ds-${name}-stream-000002`, `${name}-stream`],
        [`${name}-plain`, `${name}-plain`],
      ]);
      const ages = found.map(({ createdAt = 0 }) => Date.now() - createdAt);
      assertEquals(ages.every((age) => age >= -60_000 && age < 86_400_000 * 365), true);
      assertEquals(found.filter((one) => /^framework_migrations/.test(one.name)), []);
    } finally {
      await ask(PLAIN, "DELETE", `/_data_stream/${name}-stream`);
      await ask(PLAIN, "DELETE", `/_index_template/${name}`);
      await ask(PLAIN, "DELETE", `/${name}-*,.${name}-dot?expand_wildcards=all`);
    }
  },
);
