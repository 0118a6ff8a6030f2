import { assertEquals } from "@std/assert";
import { loadedWith } from "../../cli/loaded.ts";

Deno.test("fleets + load nothing but their settings before a connection has clusters", async () => {
  const loaded = await loadedWith(
    new URL("../../../src/features/fleets/feature.ts", import.meta.url),
  );
  const own = loaded.filter((specifier) => specifier.includes("/fleets/"));
  assertEquals(own.map((specifier) => specifier.replace(/.*\//, "")), ["feature.ts", "fleet.ts"]);
  assertEquals(loaded.filter((specifier) => specifier.endsWith("/config/load.ts")), []);
});
