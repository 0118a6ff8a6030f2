/**
 * The same routes as servers of this library, of what people would pick instead, and of the runtime alone: real processes
 * that are loaded over loopback in turns. Prints tables for each runtime, and which goals hold; ends with 1 where one does
 * not.
 *
 * ```sh
 * deno task bench:http                # everything
 * deno task bench:http node deno      # some of node, deno, bun, jvm, "node, browser", "bun, middleware", …
 * ROUNDS=1 SECONDS=1 deno task bench:http
 * deno task bench:http node --contender Irori --contender Fastify --load POST
 * ```
 *
 * `--contender` is the name of one, `--load` a part of the names of some.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { ARENAS, OUR_PACKAGES, PEERS } from "./http/contenders.ts";
import { goalTable, memoryVerdicts, type Verdict, verdicts } from "./http/goals.ts";
import { ensureWrk, LOADS } from "./http/load.ts";
import { type Effort, type Entrant, measure } from "./http/measure.ts";
import { compileServer, createProject, linesOf } from "./http/project.ts";
import { hasMaven } from "./http/spring.ts";
import { rateTable, serverTable } from "./http/table.ts";
import { type Setting, SETTINGS } from "./http/settings.ts";
import { machine } from "./machine.ts";

const { values: chosen, positionals: runtimes } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    contender: { type: "string", multiple: true, default: [] },
    load: { type: "string", multiple: true, default: [] },
  },
});
const effort: Effort = {
  rounds: Number(Deno.env.get("ROUNDS") ?? 5),
  seconds: Number(Deno.env.get("SECONDS") ?? 2),
};
const loads = LOADS.filter(({ name }) => {
  return chosen.load.length === 0 || chosen.load.some((part) => name.includes(part));
});

await ensureWrk();
await using project = await createProject([...OUR_PACKAGES, ...PEERS]);
const found: Verdict[] = [];
for (const { runtime, command, contenders } of ARENAS) {
  if (runtimes.length > 0 && !runtimes.includes(runtime.toLowerCase())) continue;
  if (runtime === "JVM" && !await hasMaven()) {
    console.log("JVM: skipped, there is no JDK with Maven\n");
    continue;
  }
  const prefix = await command();
  const entrants: Entrant[] = [];
  for (const contender of contenders) {
    if (chosen.contender.length > 0 && !chosen.contender.includes(contender.name)) continue;
    const compiled = [...prefix, ...await compileServer(project, contender)];
    const setting: Setting = contender.setting ? SETTINGS[contender.setting] : {};
    entrants.push({
      name: contender.name,
      command: setting.isLogging
        ? ["sh", "-c", 'exec "$@" >/dev/null', "sh", ...compiled]
        : compiled,
      ...(setting.sent && { headers: await setting.sent() }),
      cwd: project.path,
      lines: await linesOf(contender),
      hasSameChecks: contender.hasSameChecks ?? false,
      setting,
    });
  }
  if (entrants.length === 0) continue;
  const results = await measure(entrants, loads, effort);
  console.log(`${rateTable(runtime, loads, results)}\n\n${serverTable(runtime, results)}\n`);
  found.push(...verdicts(runtime, results));
  for (const { text, isKept } of memoryVerdicts(runtime, results)) {
    console.log(`${text}\n`);
    if (!isKept) Deno.exitCode = 1;
  }
}
if (found.length > 0) console.log(`${goalTable(found)}\n`);
console.log(
  `Ratio to the first line and requests per second: medians of ${effort.rounds} rounds of ${effort.seconds} s; ` +
    `processor time for each request: the least.\n${machine()}`,
);
if (!found.every(({ isKept }) => isKept)) Deno.exitCode = 1;
