import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { apply, planned } from "../../migrations/search/runner.ts";
import { faultProxy } from "../../servers/fault_proxy.ts";
import { clusterTest, PLAIN } from "../../servers/real.ts";
import { Scene } from "./scene.ts";
import { type Body, Place } from "./support.ts";

clusterTest(
  PLAIN,
  "template_changes + plan names what changed templates reach together, and sends nothing",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    const found = new Map<string, unknown>();
    for (const changes of ["keep", "rollover"] as const) {
      const { steps } = await planned(scene.connection(changes), scene.files(2));
      found.set(
        String(changes),
        steps.map(({ requests, findings = [] }) => [
          requests.filter((one) => one.endsWith("/_rollover")),
          ...findings.map(({ severity, message }) => `${severity}: ${message}`),
        ]),
      );
    }
    const parts = (isRolled: boolean) => [
      [
        isRolled ? [scene.own("POST /@-orders/_rollover")] : [],
        scene.own(
          'warning: Changes new indices (2): mappings.properties.a.type ("keyword", then "text"), ' +
            'mappings.properties.gone ({"type":"ip"}, then null); ' +
            `${
              isRolled ? "rolls over" : "takes effect at a rollover of"
            } (1): write alias '@-orders' ('@-orders-000001')`,
        ),
      ],
      [
        isRolled ? ["a", "b"].map((one) => scene.own(`POST /@-logs-${one}/_rollover`)) : [],
        scene.own(
          'warning: Changes new indices (3): mappings.properties.a.type ("keyword", then "text"), ' +
            'mappings.properties.b.type ("long", then "double"), mappings.properties.gone ({"type":"ip"}, then null); ' +
            `${
              isRolled ? "rolls over" : "takes effect at a rollover of"
            } (2): data stream '@-logs-a' ('.ds-@-logs-a-000001'), ` +
            "data stream '@-logs-b' ('.ds-@-logs-b-000001')",
        ),
      ],
    ];
    assertEquals(Object.fromEntries(found), {
      keep: parts(false),
      rollover: parts(true),
    });
    assertEquals(await scene.counts(), [1, 1, 1]);
  },
);

clusterTest(
  PLAIN,
  "template_changes + plan names what each changed file reaches without the key",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    const { steps } = await planned(scene.connection(), scene.files(2));
    const index = { a: "'.ds-@-logs-a-000001'", b: "'.ds-@-logs-b-000001'" };
    const streams = `data stream '@-logs-a' (${index.a}), data stream '@-logs-b' (${index.b})`;
    const own = (text: string) => scene.own(`Changes new indices ${text}`);
    assertEquals(steps.map(({ findings, consequences }) => [findings, consequences]), [
      [undefined, [own(
        '(2): mappings.properties.a.type ("keyword", then "text"), ' +
          'mappings.properties.gone ({"type":"ip"}, then null); takes effect at a rollover of (3): ' +
          `${streams}, write alias '@-orders' ('@-orders-000001')`,
      )]],
      [undefined, [own(
        '(1): mappings.properties.b.type ("long", then "double"); ' +
          `takes effect at a rollover of (2): ${streams}`,
      )]],
    ]);
    await using place = new Place(cluster);
    await place.send("PUT", "/@-x-000001", { aliases: { "@-x": WRITES } });
    const { steps: [step] } = await planned(place.connection(), filesOf(place, "text"));
    assertEquals(step?.consequences, undefined);
  },
);

clusterTest(
  PLAIN,
  "template_changes + migrate with 'keep' names what needs a rollover, and rolls nothing over",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    const told: string[] = [];
    const { error } = await apply(scene.connection("keep"), scene.files(2), {
      onEvent: (event) => event.type === "notice" && told.push(event.message),
    });
    assertEquals(error, undefined);
    assertEquals(told.filter((one) => one.includes("takes effect at a rollover of")).length, 2);
    assertEquals(await scene.counts(), [1, 1, 1]);
  },
);

clusterTest(
  PLAIN,
  "template_changes + migrate sends no more requests without the key",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    await using proxy = await faultProxy(cluster.url);
    const { error } = await apply(scene.connection(undefined, proxy.url), scene.files(2));
    assertEquals(error, undefined);
    const others = proxy.requests.filter((line) =>
      !/\/(?:framework_migrations|_mget|_bulk)/.test(line)
    );
    assertEquals(others.map((line) => line.replace(/\?.*/, "")), [
      scene.own("PUT /_component_template/@-part"),
      scene.own("PUT /_index_template/@-logs"),
    ]);
  },
);

/** Files of a template for `@-x-*`, with the type of a field. */
function filesOf(place: Place, type: string, more: Body = {}) {
  const template = { mappings: { properties: { a: { type } } }, ...more };
  return place.tree({
    "@-x-template.json": { index_patterns: ["@-x*"], priority: 900, template },
  });
}

const WRITES = { is_write_index: true };

/** Write aliases that cannot be rolled over. */
const UNFIT: readonly {
  readonly name: string;
  /** The requests that make it, in which `@` stands for the name of the test. */
  readonly made: readonly (readonly [method: string, path: string, body?: Body])[];
  readonly template?: Body;
  readonly reason: string;
  /** The request that makes it fit. */
  readonly wayOut?: readonly [method: string, path: string, body?: Body];
}[] = [
  {
    name: "an index without a number",
    made: [["PUT", "/@-x", { aliases: { "@-w": WRITES } }]],
    reason: "index name [@-x] does not match pattern",
    wayOut: ["POST", "/@-w/_rollover/@-x-000002"],
  },
  {
    name: "a read-only write index",
    made: [
      ["PUT", "/@-x-000001", { aliases: { "@-x": WRITES } }],
      ["PUT", "/@-x-000001/_block/read_only"],
    ],
    reason: "index [@-x-000001] blocked by: [FORBIDDEN/5/index read-only (api)]",
    wayOut: ["PUT", "/@-x-000001/_settings", { "index.blocks.read_only": null }],
  },
  {
    name: "an index with two write aliases",
    made: [["PUT", "/@-x-000001", { aliases: { "@-v": WRITES, "@-w": WRITES } }]],
    reason: "'@-x-000001' is the write index of '@-w', too: a rollover moves one alias",
    wayOut: ["POST", "/_aliases", { actions: [{ remove: { index: "@-x-000001", alias: "@-w" } }] }],
  },
  {
    name: "an alias that the template gives",
    made: [["PUT", "/@-x-000001", { aliases: { "@-w": WRITES } }]],
    template: { aliases: { "@-w": {} } },
    reason: "its template gives it to new indices: remove it from there",
  },
  {
    name: "an alias whose documents a rollover would take out of it",
    made: [["PUT", "/@-x-000001", { aliases: { "@-x": {} } }]],
    reason: "it would lose '@-x-000001': set 'is_write_index: true' there",
    wayOut: ["POST", "/_aliases", {
      actions: [{ add: { index: "@-x-000001", alias: "@-x", is_write_index: true } }],
    }],
  },
];

for (const { name, made, template, reason, wayOut } of UNFIT) {
  clusterTest(
    PLAIN,
    `template_changes + refuses before anything is sent: ${name}`,
    async (cluster) => {
      await using place = new Place(cluster);
      for (const [method, path, body] of made) await place.send(method, path, body);
      try {
        const more = template && JSON.parse(place.own(JSON.stringify(template)));
        const files = filesOf(place, "text", more);
        const { error, results } = await apply(place.connection("rollover"), files);
        assertEquals([error?.name, results[0]?.outcome], ["InvalidFilesError", "not run"]);
        assertMatch(error!.message, /Cannot roll over the (?:write )?alias '/);
        assertStringIncludes(error!.message, place.own(reason));
        assertEquals(await place.read("/_index_template/@-x"), {});
        const { steps: [step] } = await planned(place.connection("rollover"), files);
        assertEquals(step?.findings?.map(({ severity }) => severity).includes("error"), true);
        assertEquals((await apply(place.connection("keep"), files)).error, undefined);
        if (!wayOut) return;
        const [method, path, body] = wayOut;
        await place.send(method, path, body);
        const again = await apply(place.connection("rollover"), filesOf(place, "ip"));
        assertEquals(again.error, undefined);
        assertStringIncludes(String(again.results[0]?.note), "rolled over write alias '");
      } finally {
        const settings = { "index.blocks.read_only": null };
        await place.send("PUT", "/@-x*/_settings", settings).catch(() => {});
      }
    },
  );
}

clusterTest(
  PLAIN,
  "template_changes + rolls over no plain index, no alias for reading, and no index of live reindex",
  async (cluster) => {
    await using place = new Place(cluster);
    const made: readonly (readonly [path: string, aliases: Body])[] = [
      ["/@-x-plain", {}],
      ["/@-x-r000001", { "@-reads": {} }],
      ["/@-x-r000002", { "@-reads": {} }],
      ["/@-x-one-000001", { "@-all": { filter: { term: { a: "x" } } } }],
      ["/@-x-reindexed-1a2b3c4d-2", { "@-x-reindexed": WRITES }],
    ];
    for (const [path, aliases] of made) await place.send("PUT", path, { aliases });
    const { error, results: [result] } = await apply(
      place.connection("rollover"),
      filesOf(place, "text"),
    );
    assertEquals([error, result?.note], [undefined, undefined]);
    const found = await place.send("GET", "/@-x*/_alias");
    assertEquals(Object.keys(found).sort(), made.map(([path]) => place.own(path.slice(1))).sort());
  },
);

clusterTest(
  PLAIN,
  "template_changes + follows a write alias whose index is closed",
  async (cluster) => {
    await using place = new Place(cluster);
    await place.send("PUT", "/@-xc-000004", { aliases: { "@-c": WRITES } });
    await place.send("POST", "/@-xc-000004/_close");
    const { error, results: [result] } = await apply(
      place.connection("rollover"),
      filesOf(place, "text"),
    );
    assertEquals(error, undefined);
    const rolled = "write alias '@-c' (now '@-xc-000005')";
    assertStringIncludes(String(result?.note), place.own(rolled));
  },
);

clusterTest(
  PLAIN,
  "template_changes + refuses a template that the cluster rejects before anything is sent",
  async (cluster) => {
    await using place = new Place(cluster);
    await place.send("PUT", "/@-x-000001", { aliases: { "@-x": WRITES } });
    const { error } = await apply(place.connection("rollover"), filesOf(place, "no_such_type"));
    assertEquals(error?.name, "InvalidFilesError");
    assertStringIncludes(error!.message, "Cannot read the indices that it reaches: ");
    assertStringIncludes(error!.message, "no_such_type");
    const { steps: [step] } = await planned(
      place.connection("keep"),
      filesOf(place, "no_such_type"),
    );
    assertEquals(step?.findings?.map(({ severity }) => severity), ["warning"]);
  },
);

clusterTest(
  PLAIN,
  "template_changes + what the cluster reads alike is no difference: one shard, a list of one",
  async (cluster) => {
    await using place = new Place(cluster);
    const settings = { "index.number_of_shards": 1, "index.query.default_field": ["a", "b"] };
    const first = await apply(place.connection("rollover"), filesOf(place, "text", { settings }));
    assertEquals(first.error, undefined);
    await place.send("PUT", "/@-x-000001", { aliases: { "@-x": WRITES } });
    const steps: readonly (readonly [settings: Body, isRolled: boolean])[] = [
      [{ "index.query.default_field": ["a", "b"] }, false],
      [{ "index.query.default_field": ["a"] }, true],
      [{ "index.query.default_field": "a" }, false],
      [{ "index.query.default_field": "a", "index.number_of_shards": "1" }, false],
      [{ "index.query.default_field": ["a"], "index.number_of_shards": 2 }, true],
      [{ "index.query.default_field": "a" }, true],
    ];
    for (const [settings, isRolled] of steps) {
      const files = filesOf(place, "text", { settings });
      const { error, results: [result] } = await apply(place.connection("rollover"), files);
      assertEquals(
        [error, result?.note !== undefined],
        [undefined, isRolled],
        Deno.inspect(settings),
      );
    }
    assertEquals((await place.indices("@-x")).length, 4);
  },
);

clusterTest(
  PLAIN,
  "template_changes + a template by POST rolls nothing over, and plan and run say so",
  async (cluster) => {
    await using place = new Place(cluster);
    assertEquals((await apply(place.connection(), filesOf(place, "keyword"))).error, undefined);
    await place.send("PUT", "/@-x-000001", { aliases: { "@-x": WRITES } });
    const body = {
      index_patterns: ["@-x*"],
      priority: 900,
      template: { mappings: { properties: { a: { type: "text" } } } },
    };
    const path = "/_index_template/@-x";
    const files = place.tree({ "post.json": { method: "POST", path, body } });
    const note = "Is sent by POST, so what it changes is not compared or rolled over: use PUT";
    for (const changes of ["keep", "rollover"] as const) {
      const { steps: [step] } = await planned(place.connection(changes), files);
      assertEquals(step?.findings?.map(({ severity, message }) => [severity, message]), [
        ["warning", note],
      ]);
    }
    const told: string[] = [];
    const { error } = await apply(place.connection("rollover"), files, {
      onEvent: (event) => event.type === "notice" && told.push(event.message),
    });
    assertEquals([error, told.filter((one) => one === note).length], [undefined, 1]);
    assertEquals(await place.indices("@-x"), [place.own("@-x-000001")]);
  },
);
