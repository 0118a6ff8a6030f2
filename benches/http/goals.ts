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
  goal("Node", "node:http", { atMost: 1.15 }, { atMost: 1.15 }, { atMost: 1.25 }),
  goal("Node", "Fastify", { below: 1 }, { below: 1 }, { below: 1 }),
  goal("Bun", "Elysia", { atMost: 1.15 }, { atMost: 1.05 }, { atMost: 1.2 }),
  goal("Deno", "Hono", { atMost: 1.05 }, { atMost: 1 }, { atMost: 1.05 }),
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
