import { assertEquals, assertMatch } from "@std/assert";
import { apply, planned } from "../../migrations/search/runner.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { reindexing } from "../reindex/support.ts";
import { type Body, Place } from "./support.ts";

const GUIDE = await Deno.readTextFile(
  new URL("../../../docs/guide/template-changes.md", import.meta.url),
);

const SECTION = GUIDE.slice(GUIDE.indexOf("## The first index of a series"));
const REQUEST: Body = JSON.parse(
  /```json\n([^]*?)\n```/.exec(SECTION)![1]!.replaceAll("logs", "@"),
);

const TEMPLATE = {
  index_patterns: ["@-0*"],
  priority: 900,
  template: { mappings: { properties: { status: { type: "keyword" } } } },
};

function treeOf(place: Place) {
  return place.tree({ "0/@-template.json": TEMPLATE, "1/first.json": REQUEST });
}

clusterTest(PLAIN, "the guide makes the first index of a series", async (cluster) => {
  await using place = new Place(cluster);
  assertEquals((await apply(place.connection("rollover"), treeOf(place))).error, undefined);
  assertEquals(await place.indices("@"), [place.own("@-000001")]);
  const { mappings } = await place.definition("@-000001");
  assertEquals(mappings, TEMPLATE.template.mappings);
  await place.send("POST", "/@/_rollover");
  assertEquals(await place.indices("@"), [place.own("@-000001"), place.own("@-000002")]);
});

for (const isRolled of [false, true]) {
  const name = isRolled ? "that was rolled over" : "that exists";
  clusterTest(PLAIN, `the guide leaves a series ${name} as it is`, async (cluster) => {
    await using place = new Place(cluster);
    await place.send("PUT", "/_index_template/@", TEMPLATE);
    await place.send("PUT", "/@-000001", REQUEST.body);
    if (isRolled) await place.send("POST", "/@/_rollover");
    const before = await place.send("GET", "/@-*");
    const { results, error } = await apply(place.connection("rollover"), treeOf(place));
    assertEquals(error, undefined);
    assertMatch(String(results.at(-1)?.note), /exists already and was not changed/);
    assertEquals(await place.send("GET", "/@-*"), before);
  });
}

clusterTest(PLAIN, "plan warns of a series whose first index a file makes", async (cluster) => {
  await using place = new Place(cluster);
  const connection = reindexing(place.connection(), { writePauseMs: 30_000, oldIndices: "keep" });
  const first = place.tree({ "@-000001.json": REQUEST.body });
  const { steps } = await planned(connection, first);
  const [{ severity, message } = { severity: "", message: "" }] = steps[0]?.findings ?? [];
  assertEquals(severity, "warning");
  const [, index = "", path] =
    /named after '(\S+)'.* by a request file for 'PUT (\S+)'/.exec(message) ??
      [];
  assertEquals(path, place.own(REQUEST.path));
  assertEquals((await apply(connection, first)).error, undefined);
  assertEquals(await place.indices("@"), [index]);
});
