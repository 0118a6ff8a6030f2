import { assertEquals, assertMatch } from "@std/assert";
import { apply, planned } from "../../migrations/search/runner.ts";
import { IS_ALL } from "../../long/mod.ts";
import { clusterTest, ELASTICSEARCH_9, PLAIN, type RealCluster } from "../../servers/real.ts";
import { type Change, CHANGES, type Given } from "./changes.ts";
import { type Body, Place } from "./support.ts";

/** The everyday run takes a sample of the changes: for data streams, and for write aliases. */
const EVERY = { stream: 3, alias: 6 };

function isTaken(kind: "stream" | "alias", index: number): boolean {
  return IS_ALL || index % EVERY[kind] === 0;
}

/** The settings that a server gives each index. */
const ADDED =
  /^index\.(?:creation_date|hidden|number_of_|provided_name|replication\.type|routing\.allocation|uuid|version\.)/;

function filesOf({ component = {}, template, other }: Given, kind: "stream" | "alias") {
  const rest = {
    index_patterns: ["@-logs-*"],
    ...(kind === "stream" && { data_stream: {} }),
    priority: 900,
  };
  return {
    "1/@-part-component.json": { template: {}, ...component },
    "2/@-logs-template.json": { ...rest, composed_of: ["@-part"], ...template },
    "3/@-other-template.json": other && { ...rest, ...other },
  };
}

/** The definition that the cluster promises a new index of the template. */
async function promised(place: Place): Promise<Body> {
  const { template } = await place.send("POST", "/_index_template/_simulate_index/@-logs-new");
  return template;
}

function without({ mappings }: Body, isStamped: boolean) {
  const { _data_stream_timestamp: _, ...rest } = mappings ?? {};
  if (!isStamped) return rest;
  const { "@timestamp": __, ...properties } = rest.properties ?? {};
  return {
    ...rest,
    ...(Object.keys(properties).length > 0 ? { properties } : { properties: undefined }),
  };
}

function flat(settings: Body, prefix = "index"): Body {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === "object" && !Array.isArray(value)
        ? Object.entries(flat(value, `${prefix}.${name}`))
        : [[`${prefix}.${name}`, value]]
    ),
  );
}

async function follow(
  cluster: RealCluster,
  { from, to, isRolled }: Change,
  kind: "stream" | "alias",
): Promise<void> {
  await using place = new Place(cluster);
  const connection = place.connection("rollover");
  const [name, unmatched] = ["@-logs-a", "@-else-000001"];
  assertEquals((await apply(connection, place.tree(filesOf(from, kind)))).error, undefined);
  if (kind === "stream") await place.send("PUT", `/_data_stream/${name}`);
  else {await place.send("PUT", `/${name}-000001`, {
      aliases: { [name]: { is_write_index: true } },
    });}
  await place.send("PUT", `/${unmatched}`, { aliases: { "@-else": { is_write_index: true } } });
  const before = await place.indices(name);
  const { steps } = await planned(connection, place.tree(filesOf(to, kind)));
  const { error, results } = await apply(connection, place.tree(filesOf(to, kind)));
  assertEquals(error, undefined);
  const after = await place.indices(name);
  const notes = results.map(({ note }) => note ?? "").join("");
  assertEquals(after.length - before.length, isRolled ? 1 : 0, notes);
  assertEquals(after.slice(0, before.length), before);
  const rollovers = steps.flatMap(({ requests }) => requests).filter((one) =>
    /_rollover/.test(one)
  );
  assertEquals(rollovers, isRolled ? [place.own(`POST /${name}/_rollover`)] : []);
  const [newest] = after.slice(-1);
  if (isRolled) assertMatch(notes, new RegExp(`rolled over .*'${newest}'`));
  else assertEquals(notes, "");

  const [live, wanted] = [await place.definition(newest!), await promised(place)];
  const isStamped = kind === "stream";
  assertEquals(without(live, isStamped), without(wanted, isStamped));
  if (isRolled) {
    const settings = flat(wanted.settings?.index ?? {});
    const own = Object.entries(live.settings)
      .filter(([key]) => Object.hasOwn(settings, key) || !ADDED.test(key));
    assertEquals(Object.fromEntries(own), settings);
  }
  // The next change of the same template finds nothing to roll over.
  const again = { ...to, template: { ...to.template, version: 7 } };
  const { results: [, second] } = await apply(connection, place.tree(filesOf(again, kind)));
  assertEquals([second?.outcome, second?.note], ["reapplied", undefined]);
  assertEquals(await place.indices(name), after);
  assertEquals(await place.indices("@-else"), [place.own(unmatched)]);
}

for (const [kind, noun] of [["stream", "data stream"], ["alias", "write alias"]] as const) {
  for (const change of CHANGES.filter((_, index) => isTaken(kind, index))) {
    clusterTest(
      PLAIN,
      `template_changes + a ${noun} follows its template: ${change.name}`,
      (cluster) => follow(cluster, change, kind),
    );
  }
}

clusterTest(
  ELASTICSEARCH_9,
  "template_changes + a write alias follows its template",
  async (cluster) => {
    for (const [index, change] of CHANGES.entries()) {
      if (isTaken("alias", index)) await follow(cluster, change, "alias");
    }
  },
);
