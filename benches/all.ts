/**
 * Every benchmark, one after the other, and a table of how each of them ended: with 0, with 1 where a goal or a bound is not
 * kept or something else failed. Ends with 1 unless all ended with 0.
 *
 * @module
 */
import { fromFileUrl } from "@std/path";
import { aligned } from "./http/table.ts";

const NAMES = [
  "web",
  "edge",
  "http",
  "search",
  "sql",
  "tenants",
  "transactions",
  "migrations",
  "reindex",
  "growth",
];

const rows: string[][] = [];
for (const name of NAMES) {
  console.log(`\n## deno task bench:${name}\n`);
  const started = performance.now();
  const script = fromFileUrl(new URL(`./${name}.ts`, import.meta.url));
  const { code } = await new Deno.Command(Deno.execPath(), { args: ["run", "-A", script] }).spawn()
    .status;
  if (code !== 0) Deno.exitCode = 1;
  const minutes = (performance.now() - started) / 60_000;
  rows.push([`bench:${name}`, minutes.toFixed(1), `${code}`]);
}
console.log(`\n${aligned([["benchmark", "minutes", "exit code"], ...rows])}`);
