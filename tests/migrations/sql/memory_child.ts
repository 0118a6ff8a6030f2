/** Applies a folder of one connection as the command line does, and prints what of memory that has taken at most. */
import { runMigrations } from "../../../src/migrations/commands.ts";
import { createConfig } from "../../../src/config/mod.ts";
import { denoRuntime } from "../../../src/runtime/deno/deno.ts";

const [url = "", sqlPath = ""] = Deno.args;
const config = createConfig({ datasource: { name: "main", url, migrations: { enabled: true } } });
const runtime = denoRuntime();
const [report] = await runMigrations("sql", { config, runtime, sqlPath });
const { error, results } = report!;
const peak = /VmHWM:\s+(\d+) kB/.exec(await Deno.readTextFile("/proc/self/status"))?.[1];
console.log(JSON.stringify({
  peakMb: Math.round(Number(peak) / 1024),
  outcome: results.at(-1)?.outcome,
  ...(error && { error: { ...error, message: error.message.slice(0, 400) } }),
}));
