import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import { POLICY_CHANGES } from "../../../src/features/policy_effects/feature.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { FEATURES } from "../all.ts";

const read = (migrations: ConfigMap) => {
  const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
  return POLICY_CHANGES.of(readSearchConnections(config, FEATURES)[0]!);
};

Deno.test("readSearchConnections changes no policy of managed indices unless 'policy_changes' is set", () => {
  const maps: ConfigMap[] = [{}, { policy_changes: null }, { policy_changes: "apply" }];
  assertEquals(maps.map(read), ["keep", "keep", "apply"]);
});

Deno.test("readSearchConnections refuses policy_changes: force", () => {
  const error = assertThrows(
    () => read({ policy_changes: "force" }),
    ConfigError,
    "Expected 'keep' or 'apply', found 'force'",
  );
  assertEquals(error.key, "search.migrations.policy_changes");
});
