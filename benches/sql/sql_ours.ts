import { join } from "@std/path";
import { createConfig } from "../../src/config/mod.ts";
import { discover, NO_FEATURES, run } from "../../src/migrations/runner/mod.ts";
import { loadRuntime } from "../../src/runtime/mod.ts";
import { readDatasources, sqlTarget } from "../../src/migrations/sql/mod.ts";

const [mode, url = "", folder = ""] = Deno.args;
const runtime = await loadRuntime();
const config = createConfig({ datasource: [{ name: "main", url }] });
const [datasource] = readDatasources(config);
if (datasource === undefined) throw new Error("There is no datasource");
const target = sqlTarget(datasource, {
  owner: "bench",
  lockTimeoutMs: 10_000,
  features: NO_FEATURES,
  files: runtime.files,
  execute: runtime.execute,
  variable: (name) => runtime.env.get(name),
  onNotice: () => {},
});
const { files } = await discover(runtime.files, join(folder, "main"), "main", ".sql");
const { error, results } = await run(target, files);
if (error) throw error;
const expected = { first: "applied", unchanged: "skipped" }[mode ?? ""];
if (expected && !results.every(({ outcome }) => outcome === expected)) {
  throw new Error("It did something else");
}
