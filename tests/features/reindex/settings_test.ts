import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import { REINDEX, type ReindexSettings } from "../../../src/features/reindex/settings.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { FEATURES } from "../all.ts";

/** The settings for the copy of indices in these `migrations`. */
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
  ["old_indices", "drop", "Expected 'keep' or 'delete', found 'drop'"],
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
