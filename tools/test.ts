/**
 * Runs the checks and the tests, with real servers. `deno task test` has a sample of what is slow, and old clusters by the
 * contract only; `deno task test:all` has everything.
 *
 * - paths: only the tests of these files or folders, all of them, and no checks
 * - `--part web`, `migrations` or `runtimes`: only these tests; `--part checks`: only the checks; with `--shard 2/3` a
 *   third of a part
 * - `--changed`, or with a commit `--changed main~3`: only tests that what has changed can reach, and no checks; with
 *   `--list` it only prints them
 * - `--servers none`, `sql` or `search`: starts these servers only; tests of others are skipped
 * - `--report FILE`: writes JUnit's report there
 * - `--write-counts`: writes the number of tests by server and runtime into `tests/expected_counts.json`
 * - other options go to `deno test`
 *
 * Fails where there are fewer tests of a server or a runtime than `tests/expected_counts.json` says. The last line says
 * `N passed, N failed, N skipped`.
 */
import { changedTests } from "./_changed.ts";
import { CHECKS } from "./checks.ts";
import { finish } from "./_finish.ts";
import { SERVER_CHOICES, type ServerChoice, withServers } from "./_server_choice.ts";
import type { Command } from "./_tally.ts";
import { type Part, PARTS, shardOf, testFiles } from "./_test_files.ts";
import { runTests, SAMPLE } from "./_tests.ts";

const { paths, flags, own } = argumentsOf(Deno.args);
const command: Command = own.has("all") ? "test:all" : "test";
const part = own.get("part");
if (part !== undefined && part !== "checks" && !PARTS.includes(part as Part)) {
  refuse(`Unknown part '${part}': expected one of checks, ${PARTS.join(", ")}`);
}
const servers = own.get("servers") ?? "all";
if (!SERVER_CHOICES.includes(servers as ServerChoice)) {
  refuse(`Unknown servers '${servers}': expected one of ${SERVER_CHOICES.join(", ")}`);
}
for (const path of paths) {
  const isThere = await Deno.stat(path).then(() => true, () => false);
  if (!isThere) refuse(`No test runs: '${path}' is neither a file nor a folder`);
}
const isChanged = own.has("changed");
if (isChanged && (paths.length > 0 || part !== undefined)) {
  refuse("'--changed' chooses the tests itself: leave out paths and '--part'");
}
const isSample = command === "test" && paths.length === 0;
const isWhole = paths.length === 0 && flags.length === 0 && part === undefined && !isChanged &&
  servers === "all";

const all = part === "checks"
  ? []
  : await testFiles(paths.length > 0 ? paths : ["tests", "examples"], isSample);
const ofPart = part === undefined ? all : all.filter((file) => file.part === part);
const reached = isChanged
  ? await changedTests(own.get("changed") || undefined, ofPart).catch((error) =>
    refuse(error.message)
  )
  : ofPart;
if (own.has("list")) {
  if (!isChanged) { for (const { path } of reached) console.log(path); }
  Deno.exit();
}
const { files, env } = withServers(reached, servers as ServerChoice);
const shard = own.get("shard");
const run = await runTests({
  files: shard === undefined ? files : shardOf(files, shard),
  flags: ["--parallel", ...(isSample ? SAMPLE : []), ...flags],
  env: { ...env, ...(command === "test:all" && { IRORI_TEST_ALL: "1" }) },
  isAll: command === "test:all",
  checks: isChanged || paths.length > 0 || (part !== undefined && part !== "checks") ? [] : CHECKS,
});
await finish(run, {
  ...(isWhole && { command }),
  ...(paths.length === 0 && { budgetsOf: command }),
  report: own.get("report"),
  isWritten: own.has("write-counts"),
});

function refuse(message: string): never {
  console.error(message);
  Deno.exit(2);
}

/** Options of this command are `--name value` and `--name=value`; others are those of `deno test`. */
function argumentsOf(args: readonly string[]) {
  const own = new Map<string, string>();
  const paths: string[] = [];
  const flags: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const [, name = "", value] = /^--([\w-]+)(?:=(.*))?$/.exec(arg) ?? [];
    const isNext = left[0] !== undefined && !left[0].startsWith("-");
    if (["all", "list", "write-counts"].includes(name)) own.set(name, "");
    else if (name === "changed") own.set(name, value ?? (isNext ? left.shift()! : ""));
    else if (["part", "shard", "servers", "report"].includes(name)) {
      own.set(name, value ?? left.shift() ?? "");
    } else if (arg.startsWith("-")) flags.push(arg);
    else paths.push(arg);
  }
  return { paths, flags, own };
}
