import { assertEquals, assertMatch } from "@std/assert";
import { apply } from "../../migrations/search/runner.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { reindexing } from "../reindex/support.ts";
import { type Body, Place } from "./support.ts";

const GUIDE = await Deno.readTextFile(
  new URL("../../../docs/guide/template-changes.md", import.meta.url),
);

/** The files of the section about older indices, in order. */
const FILES: readonly Body[] = [
  ...GUIDE.slice(GUIDE.indexOf("## Older indices")).matchAll(/```json\n([^]*?)\n```/g),
].map(([, text = ""]) => JSON.parse(text));

/** A template whose field changes from a keyword to an integer, and the files of the guide for names of the test. */
function filesOf(place: Place, pattern: string, more: Body, files: readonly Body[]) {
  const text = JSON.stringify(files).replaceAll("logs-web", "@-logs-web")
    .replaceAll("orders", "@-orders");
  const template = (type: string) => ({
    "0/@-series-template.json": {
      index_patterns: [pattern],
      priority: 900,
      ...more,
      template: { mappings: { properties: { status: { type } } } },
    },
  });
  const named = (JSON.parse(text) as Body[]).map((
    file,
    index,
  ) => [`${index + 1}/by-hand.json`, file]);
  return {
    before: place.tree(template("keyword")),
    after: place.tree({ ...template("integer"), ...Object.fromEntries(named) }),
  };
}

async function found(place: Place, name: string): Promise<readonly [total: number, types: string]> {
  await place.send("POST", `/${name}/_refresh`);
  const query = { query: { range: { status: { gte: 200, lt: 300 } } }, track_total_hits: true };
  const { hits } = await place.send("POST", `/${name}/_search`, query);
  const mappings = JSON.stringify(await place.send("GET", `/${name}/_mapping`));
  const types = [...mappings.matchAll(/"status":\{"type":"(\w+)"/g)].map(([, type]) => type);
  return [hits.total.value, [...new Set(types)].join()];
}

clusterTest(PLAIN, "the guide changes an older index of a data stream by hand", async (cluster) => {
  await using place = new Place(cluster);
  const { before, after } = filesOf(place, "@-logs-*", { data_stream: {} }, FILES.slice(0, 2));
  assertEquals((await apply(place.connection("rollover"), before)).error, undefined);
  await place.send("PUT", "/_data_stream/@-logs-web");
  for (const status of ["200", "204", "500"]) {
    await place.send("POST", "/@-logs-web/_doc", { "@timestamp": "2026-11-30", status });
  }
  await place.send("POST", "/@-logs-web/_refresh");
  assertEquals((await apply(place.connection("rollover"), after)).error, undefined);
  assertEquals(await place.indices("@-logs-web"), [place.own(".ds-@-logs-web-000002")]);
  assertEquals(await found(place, "@-logs-web"), [2, "integer"]);
});

clusterTest(
  PLAIN,
  "the guide replaces an older index of a write alias by hand",
  async (cluster) => {
    await using place = new Place(cluster);
    const { before, after } = filesOf(place, "@-orders-*", {}, FILES.slice(2));
    assertEquals((await apply(place.connection("rollover"), before)).error, undefined);
    await place.send("PUT", "/@-orders-000001", {
      aliases: { "@-orders": { is_write_index: true } },
    });
    for (const status of ["200", "500"]) await place.send("POST", "/@-orders/_doc", { status });
    await place.send("POST", "/@-orders/_refresh");
    assertEquals((await apply(place.connection("rollover"), after)).error, undefined);
    const indices = ["@-orders-000001-a", "@-orders-000002"].map((name) => place.own(name));
    assertEquals(await place.indices("@-orders"), indices);
    assertEquals(await found(place, "@-orders"), [1, "integer"]);
  },
);

clusterTest(
  PLAIN,
  "the advice of live reindex changes an older index of a series",
  async (cluster) => {
    await using place = new Place(cluster);
    const made = { mappings: { properties: { status: { type: "keyword" } } } };
    await place.send("PUT", "/_index_template/@-orders", {
      index_patterns: ["@-orders-*"],
      priority: 900,
      template: { mappings: { properties: { status: { type: "integer" } } } },
    });
    await place.send("PUT", "/@-orders-000001", {
      ...made,
      aliases: { "@-orders": { is_write_index: true } },
    });
    await place.send("POST", "/@-orders/_doc?refresh=true", { status: "200" });
    await place.send("POST", "/@-orders/_rollover");
    const connection = reindexing(place.connection(), { writePauseMs: 30_000, oldIndices: "keep" });
    const change = { mappings: { properties: { status: { type: "ip" } } } };
    const { error } = await apply(connection, place.tree({ "@-orders-000001.json": change }));
    assertMatch(error!.message, /'migrations\.template_changes: rollover'/);
    const [, into, type] =
      /reindex an older index into '(\S+)' \("op_type": "(\w+)"\), then delete it/
        .exec(error!.message) ?? [];
    assertEquals(into, place.own("@-orders"));
    await place.send("POST", "/_reindex?refresh=true", {
      source: { index: "@-orders-000001" },
      dest: { index: into, op_type: type },
    });
    await place.send("DELETE", "/@-orders-000001");
    assertEquals(await place.indices("@-orders"), [place.own("@-orders-000002")]);
    assertEquals(await found(place, "@-orders"), [1, "integer"]);
  },
);
