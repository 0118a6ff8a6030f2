/** Parts that a file has removed, which no template tells once the file is applied. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { apply, planned, withSession } from "../../migrations/search/runner.ts";
import { type Fault, faultProxy } from "../../servers/fault_proxy.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { spawnRollovers } from "./run_child.ts";
import { feature as reindex } from "../../../src/features/reindex/feature.ts";
import { type AppliedStep, ExecutionError, resolve } from "../../../src/migrations/runner/mod.ts";
import { type Body, Place } from "./support.ts";

const STREAM = "@-logs-a";
const TEMPLATE = "PUT /_index_template/@-logs";

/** A component that loses a field with its second version, and a template that changes nothing of an index. */
function filesOf(place: Place, version: 1 | 2, more: Body = {}): Record<string, string> {
  const properties = { a: { type: "keyword" }, ...(version === 1 && { gone: { type: "ip" } }) };
  return place.tree({
    "1/@-part-component.json": { template: { mappings: { properties } } },
    "2/@-logs-template.json": {
      index_patterns: ["@-logs-*"],
      data_stream: {},
      priority: 900,
      composed_of: ["@-part"],
      version,
      ...more,
    },
  });
}

async function placeOf(place: Place, files = filesOf(place, 1)): Promise<void> {
  assertEquals((await apply(place.connection("rollover"), files)).error, undefined);
  await place.send("PUT", `/_data_stream/${STREAM}`);
}

async function assertRolled(place: Place, indices: number, about?: string): Promise<void> {
  const found = await place.indices(STREAM);
  assertEquals(found.length, indices, about);
  const { mappings } = await place.definition(found.at(-1)!);
  assertEquals(Object.keys(mappings.properties).includes("gone"), false, about);
}

async function disturbed(place: Place, files: Record<string, string>, fault: Fault) {
  await using proxy = await faultProxy(place.cluster.url);
  proxy.fault = fault;
  return await apply(place.connection("rollover", proxy.url), files);
}

for (const edit of [{}, { version: 3 }]) {
  const which = edit.version ? "an edited" : "the same";
  clusterTest(
    PLAIN,
    `template_changes + rolls over what a component has removed before its template failed: ${which} template`,
    async (cluster) => {
      await using place = new Place(cluster);
      await placeOf(place);
      const hits = (line: string) => line.startsWith(place.own(TEMPLATE));
      const fault = { kind: 500, isDone: false, hits } as const;
      const { error } = await disturbed(place, filesOf(place, 2), fault);
      assertEquals(error?.name, "MigrationFailedError");
      const again = await apply(place.connection("rollover"), filesOf(place, 2, edit));
      assertEquals(again.error, undefined);
      assertMatch(String(again.results[1]?.note), /rolled over data stream/);
      await assertRolled(place, 2);
      const { requests } = await apply(place.connection("rollover"), filesOf(place, 2, edit));
      assertEquals(requests, 1);
    },
  );
}

clusterTest(
  PLAIN,
  "template_changes + rolls over what a component has removed before the run is killed",
  async (cluster) => {
    for (const at of ["PUT /_component_template/@-part", TEMPLATE]) {
      for (const isDone of [false, true]) {
        await using place = new Place(cluster);
        await placeOf(place);
        await using proxy = await faultProxy(cluster.url);
        const job = { url: proxy.url, tree: filesOf(place, 2), name: place.name, leaseMs: 500 };
        const child = spawnRollovers(job);
        proxy.mayPass = () => Promise.resolve(false);
        proxy.fault = {
          kind: "close",
          isDone,
          hits: (line) => line.startsWith(place.own(at)),
          onHit: async () => {
            child.kill("SIGKILL");
            await child.status;
          },
        };
        await child.stderr.cancel();
        await child.status;
        const about = `killed ${isDone ? "after" : "before"} ${at}`;
        const options = { lockTimeoutMs: 20_000, leaseMs: 500 };
        const run = await apply(place.connection("rollover"), filesOf(place, 2), options);
        assertEquals(run.error, undefined, about);
        await assertRolled(place, 2, about);
      }
    }
  },
);

clusterTest(
  PLAIN,
  "template_changes + rolls over what another client has made of the earlier template meanwhile",
  async (cluster) => {
    await using place = new Place(cluster);
    const rest = { index_patterns: ["@-else-*"], priority: 900, template: {} };
    const files = (version: 1 | 2) => ({
      ...place.tree({ "0/@-else-template.json": { ...rest, version } }),
      ...filesOf(place, version),
    });
    await placeOf(place, files(1));
    const { error } = await disturbed(place, files(2), {
      kind: "late",
      isDone: false,
      hits: (line) => line.startsWith(place.own("PUT /_index_template/@-else")),
      onHit: async () => {
        await place.send("POST", `/${STREAM}/_rollover`);
      },
    });
    assertEquals(error, undefined);
    await assertRolled(place, 3);
  },
);

clusterTest(
  PLAIN,
  "template_changes + plan and 'keep' go on without an answer to what a template reaches",
  async (cluster) => {
    for (const changes of ["keep", undefined] as const) {
      await using place = new Place(cluster);
      await placeOf(place);
      await using proxy = await faultProxy(cluster.url);
      const hits = (line: string) => line.startsWith("GET /_data_stream");
      const lost = { kind: "close", isDone: false, hits, times: 9 } as const;
      proxy.fault = lost;
      const connection = place.connection(changes, proxy.url);
      const { steps } = await planned(connection, filesOf(place, 2));
      assertStringIncludes(
        JSON.stringify(steps),
        "Cannot read the indices that it reaches: No host",
      );
      proxy.fault = { ...lost };
      assertEquals((await apply(connection, filesOf(place, 2))).error, undefined);
    }
  },
);

clusterTest(
  PLAIN,
  "template_changes + plan without the key knows the new components of its files, and reads the cluster once",
  async (cluster) => {
    await using place = new Place(cluster);
    await placeOf(place);
    await using proxy = await faultProxy(cluster.url);
    const added = { template: { mappings: { properties: { b: { type: "long" } } } } };
    const files = {
      ...place.tree({ "1/@-added-component.json": added }),
      ...filesOf(place, 2, { composed_of: ["@-part", "@-added"] }),
    };
    const { steps } = await planned(place.connection(undefined, proxy.url), files);
    const found = steps.map(({ consequences = [] }) => consequences.join());
    assertEquals(found[0], "");
    assertStringIncludes(found[1]!, 'gone ({"type":"ip"}, then null); takes effect');
    assertStringIncludes(found[2]!, 'b (null, then {"type":"long"}); takes effect');
    const lists = proxy.requests.filter((line) => /_data_stream|_cat|templates?$/.test(line));
    assertEquals(lists.length, new Set(lists).size);
  },
);

clusterTest(
  PLAIN,
  "template_changes + tells why a rollover failed, also when the cluster does not answer after it",
  async (cluster) => {
    await using place = new Place(cluster);
    await placeOf(place);
    const path = place.own(`POST /${STREAM}/_rollover`);
    let isSent = false;
    const { error } = await disturbed(place, filesOf(place, 2), {
      kind: 500,
      isDone: false,
      times: 2,
      hits: (line) => {
        const isHit = line === path || (isSent && line.startsWith(path));
        isSent ||= line === path;
        return isHit;
      },
    });
    assertMatch(error!.message, /refused POST \/\S+\/_rollover: /);
  },
);

clusterTest(
  PLAIN,
  "template_changes + rolls nothing over when a template loses settings without values",
  async (cluster) => {
    await using place = new Place(cluster);
    const settings = { "index.refresh_interval": null };
    await placeOf(place, filesOf(place, 1, { template: { settings } }));
    const files = filesOf(place, 1, { template: {}, version: 2 });
    const { error, results } = await apply(place.connection("rollover"), files);
    assertEquals([error, results[1]?.note], [undefined, undefined]);
    assertEquals((await place.indices(STREAM)).length, 1);
  },
);

for (const isDone of [false, true]) {
  clusterTest(
    PLAIN,
    `template_changes + rolls over once when a proxy says 429 ${isDone ? "after" : "before"} it`,
    async (cluster) => {
      await using place = new Place(cluster);
      await placeOf(place);
      const path = place.own(`POST /${STREAM}/_rollover`);
      const hits = (line: string) => line === path;
      const files = filesOf(place, 2);
      const { error, results } = await disturbed(place, files, { kind: 429, isDone, hits });
      assertEquals(error, undefined);
      assertMatch(String(results[1]?.note), /rolled over data stream '.*' \(now '.*-000002'\)/);
      await assertRolled(place, 2);
    },
  );
}

clusterTest(
  PLAIN,
  "template_changes + fails the file of a component that does not fit to one that a later file changes",
  async (cluster) => {
    await using place = new Place(cluster);
    const files = (isChanged: boolean) => {
      const one = isChanged ? { f: { properties: { q: { type: "ip" } } } } : { old: KEYWORD };
      const two = isChanged ? {} : { f: KEYWORD };
      return place.tree({
        "1/@-c1-component.json": { template: { mappings: { properties: one } } },
        "1/@-c2-component.json": { template: { mappings: { properties: two } } },
        "2/@-t-template.json": {
          index_patterns: ["@-t-*"],
          priority: 900,
          composed_of: ["@-c2", "@-c1"],
        },
      });
    };
    for (const changes of ["rollover", "keep"] as const) {
      const connection = place.connection(changes);
      if (changes === "rollover") {
        assertEquals((await apply(connection, files(false))).error, undefined);
        await place.send("PUT", "/@-t-w-000001", { aliases: { "@-w": { is_write_index: true } } });
      }
      for (const _ of ["first", "again"]) {
        const { error, results } = await apply(connection, files(true));
        assertEquals(error?.name, "MigrationFailedError", changes);
        assertMatch(error!.message, /can't merge a non object mapping \[f\]/);
        assertEquals(results.slice(0, 2).map(({ outcome }) => outcome), ["failed", "not run"]);
      }
    }
  },
);

const KEYWORD = { type: "keyword" };

clusterTest(
  PLAIN,
  "template_changes + keeps the date math in the names of a series",
  async (cluster) => {
    await using place = new Place(cluster);
    const files = (type: string) =>
      place.tree({
        "@-d-template.json": {
          index_patterns: ["@-d*"],
          priority: 900,
          template: { mappings: { properties: { a: { type } } } },
        },
      });
    assertEquals((await apply(place.connection("rollover"), files("keyword"))).error, undefined);
    const first = encodeURIComponent(place.own("<@-d-{now/d}-000001>"));
    await place.send("PUT", `/${first}`, { aliases: { "@-d": { is_write_index: true } } });
    for (const [type, number] of [["text", "000002"], ["ip", "000003"]] as const) {
      const { error, results: [result] } = await apply(place.connection("rollover"), files(type));
      assertEquals(error, undefined);
      const index = (await place.indices("@-d")).at(-1)!;
      assertMatch(index, new RegExp(`-d-\\d{4}\\.\\d\\d\\.\\d\\d-${number}$`));
      assertMatch(String(result?.note), new RegExp(`\\(now '${index}'\\)`));
      const { settings } = await place.definition(index);
      assertEquals(settings["index.provided_name"], place.own(`<@-d-{now/d}-${number}>`));
    }
  },
);

Deno.test("live reindex leaves alone what a template has recorded for its rollovers", async () => {
  const attempt = { resume: { removed: { logs: "logs-000001" } } };
  const work = { entry: { path: "a.json", attempt } };
  const migration = { request: {}, file: { path: "a.json" } };
  const step = { migration, offers: [], work } as unknown as AppliedStep;
  const failure = new ExecutionError(new Error("no"), "none");
  const thrown = await reindex.apply!(step, () => Promise.reject(failure)).catch((error) => error);
  assertEquals([thrown === failure, failure.undone], [true, false]);
});

clusterTest(
  PLAIN,
  "template_changes + 'resolve --abandon' forgets what was begun, and says what stays",
  async (cluster) => {
    await using place = new Place(cluster);
    await placeOf(place);
    const hits = (line: string) => line === place.own(`POST /${STREAM}/_rollover`);
    const fault = { kind: 500, isDone: false, hits } as const;
    const { error } = await disturbed(place, filesOf(place, 2), fault);
    assertEquals(error?.name, "MigrationFailedError");
    const path = place.own("2/@-logs-template.json");
    const settled = await withSession(
      place.connection("rollover"),
      filesOf(place, 2),
      (session, files) => resolve(session, files, path, "abandon"),
    );
    assertEquals(
      settled?.known,
      "indices that were rolled over stay; the next run compares the others again",
    );
    assertEquals((await apply(place.connection("rollover"), filesOf(place, 2))).error, undefined);
  },
);
