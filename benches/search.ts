/**
 * Measures search migrations by the command line, each run in a process of its own, against a bare script that only sends
 * the same requests over one connection, and against one that reads and hashes the files and asks once for their records.
 *
 * ```sh
 * deno task bench:search
 * ```
 *
 * Starts an OpenSearch of its own unless `IRORI_TEST_OPENSEARCH_URL` names one.
 *
 * @module
 */
import { fromFileUrl, join } from "@std/path";
import { execute, type Run } from "./process.ts";
import { template } from "./search/template.ts";
import { openSearch } from "./servers.ts";
import { median } from "./web/report.ts";

await using server = await openSearch();
const { url } = server;
const TEMPLATES = 200;
const ROUNDS = 7;
/** Times the other script; for a first run the start of a process comes on top. */
const LIMITS = { first: 1.1, unchanged: 1.5 }; // ADR 33
/** Unchanged files, and what a run over them may need. */
const HEAPS = [
  { files: 2500, kilobytes: 1, megabytes: 120 },
  { files: 50, kilobytes: 1000, megabytes: 120 },
  { files: 1, kilobytes: 50_000, megabytes: 120 },
];

const BARE = fromFileUrl(new URL("search/bare.ts", import.meta.url));
const CLI = fromFileUrl(new URL("../cli.ts", import.meta.url));
const folder = await Deno.makeTempDir({ prefix: "irori-bench-" });
const prefix = `b${crypto.randomUUID().slice(0, 8)}`;
const EMPTY = join(folder, "empty.ts");
await Deno.writeTextFile(EMPTY, "");

try {
  const passed = [await compare()];
  for (const heap of HEAPS) passed.push(await memory(heap));
  if (passed.includes(false)) Deno.exitCode = 1;
} finally {
  await clean();
  await Deno.remove(folder, { recursive: true });
}

async function compare(): Promise<boolean> {
  const times = new Map<string, number[]>();
  const measure = async (name: string, script: string, ...args: string[]) => {
    const list = times.get(name) ?? [];
    list.push((await run(script, args)).milliseconds);
    times.set(name, list);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const project = await write(`r${round}`, TEMPLATES);
    const ours = async () => {
      await measure("first", CLI, ...project.args);
      await measure("unchanged", CLI, ...project.args);
      await clean();
    };
    const bare = async () => {
      await measure("bare", BARE, "first", url, project.files);
      await clean();
    };
    for (const run of round % 2 === 0 ? [ours, bare] : [bare, ours]) await run();
    await measure("read", BARE, "read", url);
    await measure("look", BARE, "look", url, project.files);
    await measure("empty", EMPTY);
  }
  const of = (name: string) => median(times.get(name) ?? []);
  const empty = of("empty");
  console.log(`a process that does nothing: ${empty.toFixed(0)} ms`);
  console.log(`one that sends one request: ${of("read").toFixed(0)} ms`);
  const what = `${TEMPLATES} templates`;
  return [
    report(
      `${what}, first run, against the bare script`,
      of("first"),
      of("bare"),
      LIMITS.first,
      empty,
    ),
    report(
      `${what}, unchanged, against one that reads, hashes and asks once`,
      of("unchanged"),
      of("look"),
      LIMITS.unchanged,
    ),
  ].every((isWithin) => isWithin);
}

/** Peak memory of a run over files that did not change. */
async function memory(
  { files, kilobytes, megabytes: limit }: typeof HEAPS[number],
): Promise<boolean> {
  const project = await write(`heap-${files}`, files, kilobytes);
  await run(CLI, ["baseline", ...project.args]);
  const { milliseconds, megabytes } = await run(CLI, project.args, true);
  const isWithin = megabytes <= limit;
  console.log(
    `${files} files of ${kilobytes} kB, unchanged: ${megabytes.toFixed(0)} MB at most ` +
      `(${isWithin ? "within" : "ABOVE"} ${limit}), ${milliseconds.toFixed(0)} ms`,
  );
  return isWithin;
}

/** A project with as many templates, of a kilobyte or so many more. */
async function write(
  name: string,
  count: number,
  kilobytes = 1,
): Promise<{ args: string[]; files: string }> {
  const connection = `${prefix}-${name}`;
  const root = join(folder, name);
  const files = join(root, "migrations", connection);
  await Deno.mkdir(files, { recursive: true });
  await Deno.mkdir(join(root, "config"));
  const settings = { name: connection, hosts: [url], migrations: { enabled: true } };
  const config = JSON.stringify({ search: [settings] });
  await Deno.writeTextFile(join(root, "config", "application.yml"), config);
  for (let i = 0; i < count; i++) {
    const id = `${prefix}-${name}-${String(i).padStart(4, "0")}`;
    const text = JSON.stringify(template(id), null, 2) + " ".repeat((kilobytes - 1) * 1000);
    await Deno.writeTextFile(join(files, `${id}-template.json`), text);
  }
  const args = ["-c", join(root, "config"), "--sqlPath", join(root, "migrations"), "-m", "search"];
  return { args, files };
}

/** Takes the templates away, so that every run finds the cluster as the first did. */
async function clean(): Promise<void> {
  const response = await fetch(`${url}/_index_template/${prefix}*`, { method: "DELETE" });
  await response.body?.cancel();
}

/** Runs a script to its end, in a process of its own. */
function run(script: string, args: readonly string[], watchMemory = false): Promise<Run> {
  const options = ["run", "-A", "--no-check", "--quiet"];
  return execute([Deno.execPath(), ...options, script, ...args], watchMemory);
}

function report(name: string, ours: number, other: number, limit: number, start = 0): boolean {
  const isWithin = ours <= limit * other + start;
  console.log(
    `${name}: ${ours.toFixed(0)} ms and ${other.toFixed(0)} ms, ` +
      `${((ours - start) / other).toFixed(2)} times (${isWithin ? "within" : "ABOVE"} ${limit})`,
  );
  return isWithin;
}
