/**
 * Measures search migrations by the command line, each run in a process of its own, against a bare script that only sends
 * the same requests over one connection, and against one that starts and sends one request.
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
import { openSearch } from "./servers.ts";

await using server = await openSearch();
const { url } = server;
const TEMPLATES = 200;
const ROUNDS = 7;
/** Times the other script; for a first run the start of a process comes on top. */
const LIMITS = { first: 1.1, unchanged: 1.5 }; // ADR 33
const MANY = { files: 2500, megabytes: 150 };

const BARE = fromFileUrl(new URL("search/bare.ts", import.meta.url));
const CLI = fromFileUrl(new URL("../cli.ts", import.meta.url));
const folder = await Deno.makeTempDir({ prefix: "irori-bench-" });
const prefix = `b${crypto.randomUUID().slice(0, 8)}`;
const EMPTY = join(folder, "empty.ts");
await Deno.writeTextFile(EMPTY, "");

try {
  const passed = [await compare(), await memory()];
  if (passed.includes(false)) Deno.exitCode = 1;
} finally {
  await clean();
  await Deno.remove(folder, { recursive: true });
}

async function compare(): Promise<boolean> {
  const times = new Map<string, number[]>();
  const measure = async (name: string, script: string, ...args: string[]) => {
    const list = times.get(name) ?? [];
    list.push(await time(script, ...args));
    times.set(name, list);
  };
  const one = await write("one", 1);
  await time(CLI, ...one.args);
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
    await measure("one file", CLI, ...one.args);
    await measure("empty", EMPTY);
  }
  const of = (name: string) => median(times.get(name) ?? []);
  const empty = of("empty");
  console.log(`a process that does nothing: ${empty.toFixed(0)} ms`);
  console.log(`one that sends one request: ${of("read").toFixed(0)} ms`);
  console.log(`one that also reads and hashes the files: ${of("look").toFixed(0)} ms`);
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
      `${what}, unchanged, against the same on one file`,
      of("unchanged"),
      of("one file"),
      LIMITS.unchanged,
    ),
  ].every((isWithin) => isWithin);
}

/** Peak memory of a run over many files that did not change. */
async function memory(): Promise<boolean> {
  const project = await write("many", MANY.files, "request");
  await time(CLI, ...project.args);
  const started = performance.now();
  const child = spawn(CLI, ...project.args);
  let peak = 0;
  const watch = setInterval(() => peak = Math.max(peak, peakOf(child.pid)), 5);
  const { success } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error("The run failed");
  const isWithin = peak <= MANY.megabytes;
  const elapsed = performance.now() - started;
  console.log(
    `${MANY.files} files, unchanged: ${peak.toFixed(0)} MB at most ` +
      `(${isWithin ? "within" : "ABOVE"} ${MANY.megabytes}), ${elapsed.toFixed(0)} ms`,
  );
  return isWithin;
}

/** A project with as many files: templates, or requests that cost the cluster nothing. */
async function write(
  name: string,
  count: number,
  kind: "template" | "request" = "template",
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
    const [file, body] = kind === "template"
      ? [`${id}-template.json`, template(id)]
      : [`${id}.json`, { method: "GET", path: "/", name: id, _meta: template(id) }];
    await Deno.writeTextFile(join(files, file), JSON.stringify(body, null, 2));
  }
  const args = ["-c", join(root, "config"), "--sqlPath", join(root, "migrations"), "-m", "search"];
  return { args, files };
}

function template(id: string): unknown {
  const fields = Array.from({ length: 20 }, (_, i) => [`field_${i}`, { type: "keyword" }]);
  return {
    index_patterns: [`${id}-*`],
    template: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { properties: Object.fromEntries(fields) },
    },
  };
}

/** Takes the templates away, so that every run finds the cluster as the first did. */
async function clean(): Promise<void> {
  const response = await fetch(`${url}/_index_template/${prefix}*`, { method: "DELETE" });
  await response.body?.cancel();
}

function spawn(script: string, ...args: string[]): Deno.ChildProcess {
  const all = ["run", "-A", "--no-check", "--quiet", script, ...args];
  const options = { args: all, stdin: "null", stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(Deno.execPath(), options).spawn();
}

/** Milliseconds from the start of a process to its end. */
async function time(script: string, ...args: string[]): Promise<number> {
  const started = performance.now();
  const { success, stderr } = await spawn(script, ...args).output();
  const elapsed = performance.now() - started;
  if (!success) throw new Error(`${script}: ${new TextDecoder().decode(stderr)}`);
  return elapsed;
}

/** Highest resident memory of a process so far, in megabytes. */
function peakOf(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended.
  }
}

function report(name: string, ours: number, other: number, limit: number, start = 0): boolean {
  const isWithin = ours <= limit * other + start;
  console.log(
    `${name}: ${ours.toFixed(0)} ms and ${other.toFixed(0)} ms, ` +
      `${((ours - start) / other).toFixed(2)} times (${isWithin ? "within" : "ABOVE"} ${limit})`,
  );
  return isWithin;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
