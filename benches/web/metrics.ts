import { serving } from "../../tests/runtimes/serving.ts";
import { type Arena, ARENAS, OUR_PACKAGES } from "../http/contenders.ts";
import { ensureWrk } from "../http/load.ts";
import { compileServer, createProject } from "../http/project.ts";
import { roundOf } from "../http/round.ts";
import type { Figure } from "./report.ts";

const ROUNDS = 12;
const LOAD = { path: "/users/42" };

/** Processor time of a request with metrics on, over that without an extension, on each runtime. */
export async function metricsCosts(): Promise<readonly Figure[]> {
  await ensureWrk();
  await using project = await createProject(OUR_PACKAGES);
  const { args } = await compileServer(project, { source: "servers/ours_metrics.ts" });
  const figures: Figure[] = [];
  for (const arena of ARENAS) {
    if (arena.scenario !== "plain" || arena.runtime === "JVM") continue;
    figures.push(await metricsCost(arena, args, project.path));
  }
  return figures;
}

/**
 * A process serves both in turns, and another one does so the other way round: who comes first in a process is up to a tenth
 * slower or quicker. Disturbance only adds, so that of many rounds the least of each side counts.
 */
async function metricsCost(
  { runtime, command }: Arena,
  server: readonly string[],
  cwd: string,
): Promise<Figure> {
  const prefix = await command();
  await using first = await serving([...prefix, ...server], cwd, 2);
  await using second = await serving([...prefix, ...server, "reversed"], cwd, 2);
  const sides = [
    [[first.pid, first.urls[0]], [second.pid, second.urls[1]]],
    [[first.pid, first.urls[1]], [second.pid, second.urls[0]]],
  ] as const;
  const least = [Infinity, Infinity];
  // The first round is for the compiler of the runtime.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      for (const [pid, url = ""] of sides[side] ?? []) {
        const { cpu } = await roundOf(pid, url, LOAD, 1);
        if (round > 0) least[side] = Math.min(least[side] ?? NaN, cpu);
      }
    }
  }
  const [without = NaN, with_ = NaN] = least;
  return {
    name: `GET /users/{id} over a socket with metrics, ${runtime}`,
    value: with_ / without,
    unit: "× the processor time without",
    bound: { atMost: 1.02 },
    note: `${with_.toFixed(2)} against ${without.toFixed(2)} µs, the least of ${2 * ROUNDS} rounds`,
  };
}
