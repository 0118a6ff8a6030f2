/**
 * Runs the checks and the tests, with real servers. `deno task test` has a sample of what is slow, and old clusters by the
 * contract only; `deno task test:all` has everything.
 *
 * - paths: only the tests of these files or folders, all of them, and no checks
 * - `--part web`, `migrations` or `runtimes`: only these tests; `--part checks`: only the checks; with `--shard 2/3` a
 *   third of a part
 * - `--report FILE`: writes JUnit's report there
 * - `--write-counts`: writes the number of tests by server and runtime into `tests/expected_counts.json`
 * - other options go to `deno test`
 *
 * Fails where there are fewer tests of a server or a runtime than `tests/expected_counts.json` says. The last line says
 * `N passed, N failed, N skipped`.
 */
import { CHECKS } from "./checks.ts";
import { type Part, PARTS, shardOf, testFiles } from "./_test_files.ts";
import { type Command, finish, runTests, SAMPLE } from "./_tests.ts";

const { paths, flags, own } = argumentsOf(Deno.args);
const command: Command = own.has("all") ? "test:all" : "test";
const part = own.get("part");
if (part !== undefined && part !== "checks" && !PARTS.includes(part as Part)) {
  console.error(`Unknown part '${part}': expected one of checks, ${PARTS.join(", ")}`);
  Deno.exit(2);
}
const isSample = command === "test" && paths.length === 0;
const isWhole = paths.length === 0 && flags.length === 0 && part === undefined;

const all = part === "checks"
  ? []
  : await testFiles(paths.length > 0 ? paths : ["tests", "examples"], isSample);
const ofPart = part === undefined ? all : all.filter((file) => file.part === part);
const shard = own.get("shard");
const run = await runTests({
  files: shard === undefined ? ofPart : shardOf(ofPart, shard),
  flags: ["--parallel", ...(isSample ? SAMPLE : []), ...flags],
  env: command === "test:all" ? { IRORI_TEST_ALL: "1" } : {},
  isAll: command === "test:all",
  checks: paths.length > 0 || (part !== undefined && part !== "checks") ? [] : CHECKS,
});
await finish(run, {
  ...(isWhole && { command }),
  report: own.get("report"),
  isWritten: own.has("write-counts"),
});

/** Options of this command are `--name value` and `--name=value`; others are those of `deno test`. */
function argumentsOf(args: readonly string[]) {
  const own = new Map<string, string>();
  const paths: string[] = [];
  const flags: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const [, name = "", value] = /^--([\w-]+)(?:=(.*))?$/.exec(arg) ?? [];
    if (["all", "write-counts"].includes(name)) own.set(name, "");
    else if (["part", "shard", "report"].includes(name)) own.set(name, value ?? left.shift() ?? "");
    else if (arg.startsWith("-")) flags.push(arg);
    else paths.push(arg);
  }
  return { paths, flags, own };
}
