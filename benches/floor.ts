/**
 * Measures the cost of our contract on each runtime: a server by hand that keeps it, built up step by step, beside the
 * server of the runtime, a peer and ours. What ours takes beyond the last step is its own.
 *
 * ```sh
 * deno task bench:floor               # node, deno and bun
 * ROUNDS=7 SECONDS=1 deno task bench:floor node
 * ```
 *
 * @module
 */
import { ARENAS, OUR_PACKAGES, PEERS, type Program } from "./http/contenders.ts";
import { ensureWrk } from "./http/load.ts";
import { type Entrant, measure, type Result } from "./http/measure.ts";
import { compileServer, createProject } from "./http/project.ts";
import { SMALL as loads } from "./http/settings.ts";
import { aligned } from "./http/table.ts";
import { machine } from "./machine.ts";

interface Floor {
  readonly source: string;
  /** One text for each value of `STEP`, from 1. */
  readonly steps: readonly string[];
}

const FETCH: Floor = {
  source: "servers/floor_fetch.ts",
  steps: ["router of Hono", "Host", "nosniff", "strict UTF-8", "in flight"],
};
const FLOORS: Readonly<Record<string, Floor>> = {
  Node: {
    source: "servers/floor_node.ts",
    steps: ["framing fields", "Host and path", "router of Hono", "nosniff", "in flight"],
  },
  Deno: FETCH,
  Bun: FETCH,
};
const PEER: Readonly<Record<string, string>> = { Node: "Fastify", Deno: "Hono", Bun: "Elysia" };

const effort = {
  rounds: Number(Deno.env.get("ROUNDS") ?? 5),
  seconds: Number(Deno.env.get("SECONDS") ?? 1),
};
/** A process may be slower than the next one of the same program for all of its life, so each server gets several. */
const processes = Number(Deno.env.get("PROCESSES") ?? 2);
await ensureWrk();
await using project = await createProject([...OUR_PACKAGES, ...PEERS]);
for (const { runtime, scenario, setting, command, contenders } of ARENAS) {
  const floor = FLOORS[runtime];
  if (scenario !== "plain" || floor === undefined) continue;
  if (Deno.args.length > 0 && !Deno.args.includes(runtime.toLowerCase())) continue;
  const prefix = await command();
  const entrant = async (
    name: string,
    program: Program,
    env: readonly string[] = [],
  ): Promise<Entrant> => {
    const { args, lines } = await compileServer(project, program);
    const command = [...env, ...prefix, ...args];
    return { name, command, cwd: project.path, lines, hasSameChecks: false, setting };
  };
  const chosen = contenders.filter(({ name }, index) => index === 0 || name === PEER[runtime]);
  const entrants: Entrant[] = [];
  for (const contender of chosen) entrants.push(await entrant(contender.name, contender));
  for (const [index, name] of floor.steps.entries()) {
    entrants.push(await entrant(`+ ${name}`, floor, ["env", `STEP=${index + 1}`]));
  }
  const ours = contenders.find(({ name }) => name === "Irori")!;
  entrants.push(await entrant("Irori", ours));
  const results: Result[] = [];
  for (let run = 0; run < processes; run++) {
    results.push(...await measure(entrants, loads, effort));
  }
  const cpuOf = (name: string, load: string) =>
    Math.min(...results.filter((one) => one.name === name).map((one) => one.rates.get(load)!.cpu));
  const rows = entrants.map(({ name }) => [
    name,
    ...loads.flatMap((load) => {
      const cpu = cpuOf(name, load.name);
      return [cpu.toFixed(1), (cpu / cpuOf(PEER[runtime]!, load.name)).toFixed(2)];
    }),
  ]);
  const head = loads.flatMap(({ name }) => [`${name}, µs`, `of ${PEER[runtime]}`]);
  console.log(`${aligned([[runtime, ...head], ...rows])}\n`);
}
console.log(
  `Processor time for each request: medians of ${effort.rounds} rounds, the least of ${processes} processes.\n` +
    machine(),
);
