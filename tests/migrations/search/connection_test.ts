import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  ConfigError,
  type ConfigMap,
  type ConfigValue,
  createConfig,
} from "../../../src/config/mod.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { POLICY_CHANGES } from "../../../src/features/policy_effects/settings.ts";
import { REINDEX, type ReindexSettings } from "../../../src/features/reindex/settings.ts";
import { FEATURES } from "../../features/all.ts";
import { load } from "../../config/support.ts";

/** What such `migrations` say of the copy of indices. */
function reindexOf(migrations: ConfigMap) {
  const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
  const [connection] = readSearchConnections(config, FEATURES);
  return connection && REINDEX.of(connection);
}

const DEFAULTS: ReindexSettings = { writePauseMs: 30_000, oldIndices: "keep" };

Deno.test("readSearchConnections changes no live index unless 'index_changes' is set", () => {
  const others: ConfigMap = {
    write_pause: 1,
    requests_per_second: 5,
    old_indices: "delete",
    reindex_pipeline: "p",
  };
  const kept: readonly ConfigMap[] = [
    {},
    { index_changes: "keep" },
    { index_changes: null },
    others,
  ];
  for (const migrations of kept) assertEquals(reindexOf(migrations), undefined);
});

const SETTINGS: readonly (readonly [ConfigMap, Partial<ReindexSettings>])[] = [
  [{}, {}],
  [{ write_pause: 2.5 }, { writePauseMs: 2500 }],
  [{ write_pause: "0.5" }, { writePauseMs: 500 }],
  [{ write_pause: "none" }, { writePauseMs: "none" }],
  [{ write_pause: null }, {}],
  [{ requests_per_second: 500 }, { requestsPerSecond: 500 }],
  [{ requests_per_second: "0.5" }, { requestsPerSecond: 0.5 }],
  [{ old_indices: "delete" }, { oldIndices: "delete" }],
  [{ old_indices: "keep" }, {}],
  [{ reindex_pipeline: "orders-2" }, { pipeline: "orders-2" }],
];

for (const [settings, expected] of SETTINGS) {
  Deno.test(`readSearchConnections reads index_changes: reindex with ${JSON.stringify(settings)}`, () => {
    assertEquals(reindexOf({ index_changes: "reindex", ...settings }), {
      ...DEFAULTS,
      ...expected,
    });
  });
}

const WRONG: readonly (readonly [key: string, value: ConfigMap[string], message: string])[] = [
  ["index_changes", "copy", "Expected 'keep' or 'reindex', found 'copy'"],
  ["index_changes", true, "Expected 'keep' or 'reindex', found 'true'"],
  ["policy_changes", "force", "Expected 'keep' or 'apply', found 'force'"],
  ["old_indices", "drop", "Expected 'keep' or 'delete', found 'drop'"],
  ["on_change", "ignore", "Expected 'fail' or 'reapply', found 'ignore'"],
  ["write_pause", "soon", "Expected seconds above 0 or 'none', found 'soon'"],
  ["write_pause", 0, "Expected seconds above 0 or 'none', found '0'"],
  ["write_pause", -1, "Expected seconds above 0 or 'none', found '-1'"],
  ["write_pause", 1e9, "Expected seconds above 0 or 'none', found '1000000000'"],
  ["write_pause", [1], "Expected a string, found a list"],
  ["requests_per_second", 0, "Expected a number of documents per second above 0, found '0'"],
  ["requests_per_second", -1, "Expected a number of documents per second above 0, found '-1'"],
  ["requests_per_second", "all", "Expected a number, found 'all'"],
  ...["", " ", "a b", "a,b", "a*", "_none"].map((name) =>
    ["reindex_pipeline", name, `Expected the name of an ingest pipeline, found '${name}'`] as const
  ),
  ["reindex_pipline", "p", "There is no setting 'reindex_pipline': expected one of 'enabled'"],
];

for (const [key, value, message] of WRONG) {
  Deno.test(`readSearchConnections refuses ${key}: ${JSON.stringify(value)}`, () => {
    // With or without a copy that it would be for.
    for (const index_changes of key === "index_changes" ? [value] : ["keep", "reindex"]) {
      const error = assertThrows(
        () => reindexOf({ index_changes, [key]: value }),
        ConfigError,
      );
      assertStringIncludes(error.message, message);
      assertEquals(error.key, `search.migrations.${key}`);
    }
  });
}

Deno.test("readSearchConnections refuses a misspelt setting of a connection", () => {
  const misspelt = { host: "hosts", pasword: "password", migration: "migrations" };
  for (const [key, meant] of Object.entries(misspelt)) {
    const others: ConfigMap = meant === "hosts" ? {} : { hosts: ["http://h"] };
    const config = createConfig({ search: [{ name: "logs", ...others, [key]: "x" }] });
    const { message } = assertThrows(() => readSearchConnections(config), ConfigError);
    assertStringIncludes(message, `'search[0].${key}': Unknown setting: did you mean '${meant}'?`);
  }
});

Deno.test("readSearchConnections leaves settings of the application alone", () => {
  const own = { host: "x", timeouts: 1, timeout: 2, idle_timeout: 5, s: "y" };
  const config = createConfig({ search: [{ name: "logs", hosts: ["http://h"], ...own }] });
  assertEquals(readSearchConnections(config).length, 1);
  for (const research of ["x", { folder: "y" }, [{ name: "topic", title: "z" }]]) {
    assertEquals(readSearchConnections(createConfig({ research, s: "x" })), []);
  }
});

Deno.test("readSearchConnections names file, line and key of a wrong setting", async () => {
  const config = await load({
    "config/application.yml":
      "search:\n  - name: logs\n    hosts: [http://h]\n    migrations:\n      write_pause: soon\n",
  });
  const { message } = assertThrows(() => readSearchConnections(config, FEATURES), ConfigError);
  assertStringIncludes(message, "application.yml:5: 'search[0].migrations.write_pause': Expected");
});

Deno.test("readSearchConnections keeps types of placeholders, and numbers as written", async () => {
  const yaml = `
search:
  name: logs
  hosts: [http://h]
  migrations:
    placeholders:
      replicas: 2
      factor: 1.0
      big: 12345678901234567890
      octal: 007
      env: "\${ENV}"
      on: true
      nothing:
      list: [1, a]
      index:
        shards: 3
      "index.codec": zstd
`;
  const config = await load({ "config/application.yml": yaml }, { env: { ENV: "7" } });
  const placeholders = readSearchConnections(config)[0]?.placeholders ?? {};
  const found = Object.entries(placeholders).map(([name, { json, text }]) => [name, json, text]);
  assertEquals(found, [
    ["replicas", "2", "2"],
    ["factor", "1.0", "1.0"],
    ["big", "12345678901234567890", "12345678901234567890"],
    ["octal", "7", "007"],
    ["env", '"7"', "7"],
    ["on", "true", "true"],
    ["nothing", "null", ""],
    ["list", '[1,"a"]', undefined],
    ["index", '{"shards":3,"codec":"zstd"}', undefined],
    ["index.shards", "3", "3"],
    ["index.codec", '"zstd"', "zstd"],
  ]);
});

Deno.test("readSearchConnections refuses invalid placeholders", () => {
  const table: readonly (readonly [ConfigValue, key: string, message: string])[] = [
    [["a"], "", "Expected a map"],
    [{ "a b": 1 }, ".a b", "Expected a name without blanks, quotes and braces"],
    [{ "a}": 1 }, ".a}", "Expected a name without blanks, quotes and braces"],
    [{ a: Infinity }, ".a", "Expected a JSON value, found a number that is not finite"],
    [{ a: { list: [NaN] } }, ".a", "Expected a JSON value, found a number that is not finite"],
  ];
  for (const [placeholders, key, message] of table) {
    const config = createConfig({
      search: { name: "logs", hosts: ["http://h"], migrations: { placeholders } },
    });
    const error = assertThrows(() => readSearchConnections(config), ConfigError);
    assertStringIncludes(error.message, message);
    assertEquals(error.key, `search.migrations.placeholders${key}`);
  }
});

Deno.test("readSearchConnections has no placeholders by default", () => {
  for (const placeholders of [undefined, null, {}]) {
    const migrations: ConfigMap = placeholders === undefined ? {} : { placeholders };
    const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
    assertEquals(readSearchConnections(config)[0]?.placeholders, undefined);
  }
});

Deno.test("readSearchConnections changes no policy of managed indices unless 'policy_changes' is set", () => {
  const read = (migrations: ConfigMap) => {
    const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
    return POLICY_CHANGES.of(readSearchConnections(config, FEATURES)[0]!);
  };
  const maps: ConfigMap[] = [{}, { policy_changes: null }, { policy_changes: "apply" }];
  const found = maps.map(read);
  assertEquals(found, ["keep", "keep", "apply"]);
});

Deno.test("readSearchConnections says how to encode a password in a URL, and does not repeat it", () => {
  const read = (url: string) =>
    readSearchConnections(createConfig({ search: { name: "logs", hosts: [url] } }));
  for (const password of ["100%pass", "a?b", "a#b", "a/b", "1/b", "%"]) {
    const { message } = assertThrows(() => read(`http://admin:${password}@h:9200`), ConfigError);
    assertStringIncludes(message, "needs percent-encoded (% as %25");
    assertEquals(message.includes(`${password}@`), false);
  }
  const [connection] = read("http://admin:100%25p%3F%23%2F%40@h:9200/base");
  assertEquals(connection?.authorization, `Basic ${btoa("admin:100%p?#/@")}`);
  assertEquals(connection?.timeoutMs, 40_000);
});
