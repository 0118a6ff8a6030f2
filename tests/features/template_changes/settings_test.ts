import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import { TEMPLATE_CHANGES } from "../../../src/features/template_changes/feature.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { FEATURES } from "../all.ts";

const read = (migrations: ConfigMap) => {
  const config = createConfig({ search: { name: "logs", hosts: ["http://h"], migrations } });
  return TEMPLATE_CHANGES.of(readSearchConnections(config, FEATURES)[0]!);
};

Deno.test("readSearchConnections rolls nothing over unless 'template_changes' is set", () => {
  const values = [{}, ...[null, "keep", "rollover"].map((one) => ({ template_changes: one }))];
  assertEquals(values.map(read), [undefined, undefined, "keep", "rollover"]);
});

Deno.test("readSearchConnections refuses template_changes: lazy", () => {
  const error = assertThrows(
    () => read({ template_changes: "lazy" }),
    ConfigError,
    "Expected 'keep' or 'rollover', found 'lazy'",
  );
  assertEquals(error.key, "search.migrations.template_changes");
});
