/**
 * The same three routes as servers of this library, of what people would pick instead, and of the runtime alone: real
 * processes that are loaded over loopback in turns. Prints a table for each runtime.
 *
 * ```sh
 * deno task bench:http                # everything
 * deno task bench:http node deno      # some of node, deno, bun, jvm
 * ROUNDS=1 SECONDS=1 deno task bench:http
 * ```
 *
 * @module
 */
import { ARENAS } from "./http/contenders.ts";
import { ensureWrk } from "./http/load.ts";
import { type Effort, type Entrant, measure } from "./http/measure.ts";
import { compileServer, createProject, linesOf } from "./http/project.ts";
import { hasMaven } from "./http/spring.ts";
import { table } from "./http/table.ts";

const effort: Effort = {
  rounds: Number(Deno.env.get("ROUNDS") ?? 5),
  seconds: Number(Deno.env.get("SECONDS") ?? 2),
};
const wanted = Deno.args.map((name) => name.toLowerCase());

await ensureWrk();
await using project = await createProject();
for (const { runtime, command, contenders } of ARENAS) {
  if (wanted.length > 0 && !wanted.includes(runtime.toLowerCase())) continue;
  if (runtime === "JVM" && !await hasMaven()) {
    console.log("JVM: skipped, there is no JDK with Maven\n");
    continue;
  }
  const prefix = await command();
  const entrants: Entrant[] = [];
  for (const contender of contenders) {
    entrants.push({
      name: contender.name,
      command: [...prefix, ...await compileServer(project, contender)],
      cwd: project.path,
      lines: await linesOf(contender),
    });
  }
  console.log(`${table(runtime, await measure(entrants, effort))}\n`);
}
const [load = 0] = Deno.loadavg();
console.log(
  `Ratio to the first line and requests per second: medians of ${effort.rounds} rounds of ${effort.seconds} s; ` +
    "processor time for each request: the least.\n" +
    `Load of the last minute: ${load.toFixed(1)} on ${navigator.hardwareConcurrency} cores`,
);
