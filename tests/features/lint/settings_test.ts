import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import { readDatasources } from "../../../src/migrations/sql/mod.ts";
import { FEATURES } from "../all.ts";

Deno.test("readDatasources refuses lint: on", () => {
  const datasource = { name: "a", url: "sqlite:a.db", migrations: { lint: "on" } };
  const config = createConfig({ datasource }, { root: "/app" });
  const error = assertThrows(
    () => readDatasources(config, {}, FEATURES),
    ConfigError,
    "Expected 'warn', 'error' or 'off', found 'on'",
  );
  assertEquals(error.key, "datasource.migrations.lint");
});
