import { type Bound, boundText, isKept } from "../web/report.ts";
import type { Arena } from "./contenders.ts";
import { type Rate, type Result, throughputRatio } from "./measure.ts";
import { aligned, microseconds, perSecond } from "./table.ts";

/** How many times the processor time of another's request one of ours may take. */
export interface Goal {
  readonly runtime: Arena["runtime"];
  /** The name of the contender. */
  readonly of: string;
  /** By the names of loads. */
  readonly bounds: Readonly<Record<string, Bound>>;
}

/** The contender that has the goals. */
export const OURS = "Irori";

/** The goals of the library's servers: there are no others. */
export const GOALS: readonly Goal[] = [
  goal("Node", "node:http", { atMost: 1.15 }, { atMost: 1.15 }, { atMost: 1.15 }),
  goal("Node", "Fastify", { atMost: 1 }, { atMost: 1 }, { atMost: 0.9 }),
  goal("Bun", "Elysia", { atMost: 1.05 }, { atMost: 1 }, { atMost: 1.15 }),
  goal("Deno", "Hono", { atMost: 1.15 }, { atMost: 1.05 }, { atMost: 1.15 }),
  goal("Deno", "Hono, same answers", { atMost: 0.85 }, { atMost: 0.85 }, { atMost: 0.85 }),
  goal("Node, equipped", "Fastify", { atMost: 1 }, { atMost: 1 }, { atMost: 1 }),
  goal("Bun, equipped", "Elysia", { atMost: 1.1 }, { atMost: 1.1 }, { atMost: 1.1 }),
];

function goal(
  runtime: Goal["runtime"],
  of: string,
  byId: Bound,
  search: Bound,
  post: Bound,
): Goal {
  const bounds = { "GET /users/{id}": byId, "GET /users/search": search, "POST /users": post };
  return { runtime, of, bounds };
}

/** How many times the memory of another's server one of ours may take at most under the loads, bodies of 100 kB included. */
const MEMORY_GOALS: readonly (Pick<Goal, "runtime" | "of"> & { readonly bound: Bound })[] = [
  { runtime: "Node", of: "Fastify", bound: { atMost: 1.3 } },
  { runtime: "Deno", of: "Hono", bound: { atMost: 1.2 } },
];

/** The most memory under load beside that of others, in a sentence each. */
export function memoryVerdicts(
  runtime: string,
  results: readonly Result[],
): readonly { readonly text: string; readonly isKept: boolean }[] {
  const peak = (contender: string) =>
    results.find(({ name }) => name === contender)?.memory.load ?? NaN;
  return MEMORY_GOALS.filter((goal) => goal.runtime === runtime).flatMap(({ of, bound }) => {
    const ratio = peak(OURS) / peak(of);
    if (Number.isNaN(ratio)) return [];
    const kept = isKept(ratio, bound);
    const text = `${runtime}: ${ratio.toFixed(2)} times the memory of ${of} under load`;
    return [{ text: `${text} (${boundText(bound)}${kept ? "" : ", missed"})`, isKept: kept }];
  });
}

/** What came of one goal. */
export interface Verdict {
  /** What is compared with what, such as `Node, of Fastify: POST /users`. */
  readonly name: string;
  readonly bound: Bound;
  readonly ours: Rate;
  readonly theirs: Rate;
  /** Of processor time: whether the goal holds depends on it alone. */
  readonly ratio: number;
  readonly isKept: boolean;
}

/** The goals on a runtime whose two sides were both measured. */
export function verdicts(runtime: string, results: readonly Result[]): readonly Verdict[] {
  const rate = (contender: string, load: string) =>
    results.find(({ name }) => name === contender)?.rates.get(load);
  return GOALS.filter((goal) => goal.runtime === runtime).flatMap(({ of, bounds }) =>
    Object.entries(bounds).flatMap(([load, bound]) => {
      const [ours, theirs] = [rate(OURS, load), rate(of, load)];
      if (!ours || !theirs) return [];
      const ratio = ours.cpu / theirs.cpu;
      const name = `${runtime}, of ${of}: ${load}`;
      return [{ name, bound, ours, theirs, ratio, isKept: isKept(ratio, bound) }];
    })
  );
}

/** What holds, goal by goal, as a Markdown table. */
export function goalTable(found: readonly Verdict[]): string {
  const head = ["goal", "bound", "processor time", "ratio", "verdict", "throughput", "ratio"];
  const rows = found.map(({ name, bound, ours, theirs, ratio, isKept }) => [
    name,
    boundText(bound),
    `${microseconds(ours.cpu)} against ${microseconds(theirs.cpu)}`,
    ratio.toFixed(2),
    isKept ? "holds" : "**does not hold**",
    `${perSecond(ours.rounds)} against ${perSecond(theirs.rounds)}`,
    throughputRatio(ours, theirs).toFixed(2),
  ]);
  return aligned([head, ...rows]);
}
