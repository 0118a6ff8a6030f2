/**
 * The same routes as servers of this library, of what people would pick instead, and of the runtime alone: real processes
 * that are loaded over loopback in turns, on each runtime in each scenario. Prints tables, and which goals hold; ends with 1
 * where one does not, and with 2 where it cannot begin.
 *
 * ```sh
 * deno task bench:http                # everything
 * deno task bench:http --write        # also into docs/benchmarks.md and docs/guide/compare.md
 * deno task bench:http node browser   # some of node, deno, bun, jvm, and of plain, browser, middleware, equipped, "100 kB"
 * ROUNDS=1 SECONDS=1 deno task bench:http
 * deno task bench:http node --contender Irori --contender Fastify --load POST
 * ```
 *
 * `--contender` is the name of one, `--load` a part of the names of some. Goals that compare scenarios need both of them.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { run as execute } from "../tests/runtimes/executables.ts";
import { type Arena, ARENAS, OUR_PACKAGES, PEERS } from "./http/contenders.ts";
import { goalTable, verdicts } from "./http/goals.ts";
import { ensureWrk } from "./http/load.ts";
import { type Effort, type Entrant, measure } from "./http/measure.ts";
import { comparisonRows, pageOf, summaryOf, tablesOf, type Visit } from "./http/page.ts";
import { compileServer, createProject } from "./http/project.ts";
import { hasMaven } from "./http/spring.ts";
import { write } from "./http/write.ts";
import { busyCores } from "./machine.ts";

const { values: chosen, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    contender: { type: "string", multiple: true, default: [] },
    load: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
  },
});
const effort: Effort = {
  rounds: Number(Deno.env.get("ROUNDS") ?? 7),
  seconds: Number(Deno.env.get("SECONDS") ?? 1),
};
const arenas = chosenArenas();
if (
  chosen.write &&
  (arenas.length < ARENAS.length || chosen.contender.length + chosen.load.length > 0)
) {
  refuse("Cannot write the tables of some servers: expected '--write' alone");
}
/** The most cores that other processes may keep busy. */
const QUIET = 0.3;
const others = await busyCores();
if (others > QUIET) {
  const found = `Other processes keep ${others.toFixed(2)} cores busy: expected at most ${QUIET}`;
  if (chosen.write) refuse(`${found}. Stop them and start again`);
  console.error(`\n*** ${found}. Do not rely on the figures of this run ***\n`);
}
await ensureWrk();
await using project = await createProject([...OUR_PACKAGES, ...PEERS]);
const run: Visit[] = [];
const versions = new Set([`${navigator.hardwareConcurrency} cores`]);
for (const arena of arenas) {
  if (arena.runtime === "JVM" && !await hasMaven()) {
    console.log("JVM: skipped, there is no JDK with Maven\n");
    continue;
  }
  const command = await arena.command();
  const entrants = await entrantsOf(arena, command);
  const loads = arena.setting.loads.filter(({ name }) => {
    return chosen.load.length === 0 || chosen.load.some((part) => name.includes(part));
  });
  if (entrants.length === 0 || loads.length === 0) continue;
  const before = await busyCores();
  const results = await measure(entrants, loads, effort);
  const visit = { arena, loads, results, others: Math.max(before, await busyCores()) };
  run.push(visit);
  versions.add(await versionOf(arena, command));
  console.log(`${tablesOf(visit)}\n`);
}
versions.add(new Date().toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" }));
const on = [...versions].join(", ");
console.log(summaryOf(run, effort, on));
const found = verdicts(run);
if (found.length > 0) console.log(`\n${goalTable(found)}`);
if (chosen.write) await write(pageOf(run, effort, on), comparisonRows(run));
if (!found.every(({ isKept }) => isKept)) Deno.exitCode = 1;

/** Those of the named runtimes in the named scenarios; all of them where none is named. */
function chosenArenas(): readonly Arena[] {
  const names = positionals.map((name) => name.toLowerCase());
  const of = (key: "runtime" | "scenario") => {
    const known = new Set(ARENAS.map((arena) => arena[key].toLowerCase()));
    const named = known.intersection(new Set(names));
    return named.size > 0 ? named : known;
  };
  const [runtimes, scenarios] = [of("runtime"), of("scenario")];
  const unknown = names.find((name) => !runtimes.has(name) && !scenarios.has(name));
  if (unknown !== undefined) {
    const known = ARENAS.flatMap(({ runtime, scenario }) => [runtime.toLowerCase(), scenario]);
    refuse(`Unknown runtime or scenario '${unknown}': expected ${[...new Set(known)].join(", ")}`);
  }
  return ARENAS.filter(({ runtime, scenario }) => {
    return runtimes.has(runtime.toLowerCase()) && scenarios.has(scenario.toLowerCase());
  });
}

async function entrantsOf({ contenders, setting }: Arena, command: readonly string[]) {
  const headers = await setting.sent?.();
  const entrants: Entrant[] = [];
  for (const contender of contenders) {
    const { name, hasSameChecks = false } = contender;
    if (chosen.contender.length > 0 && !chosen.contender.includes(name)) continue;
    const { args, lines } = await compileServer(project, contender);
    entrants.push({
      name,
      command: setting.isLogging
        ? ["sh", "-c", 'exec "$@" >/dev/null', "sh", ...command, ...args]
        : [...command, ...args],
      ...(headers && { headers }),
      cwd: project.path,
      lines,
      hasSameChecks,
      setting,
    });
  }
  return entrants;
}

async function versionOf({ runtime }: Arena, [executable = ""]: readonly string[]) {
  const text = await execute([executable, "--version"], { cwd: project.path });
  return `${runtime} ${/\d+(?:\.\d+)+/.exec(text)?.[0]}`;
}

function refuse(reason: string): never {
  console.error(reason);
  Deno.exit(2);
}
