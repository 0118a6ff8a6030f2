import { type Arena, titleOf } from "./contenders.ts";
import type { Result } from "./measure.ts";
import type { Scenario } from "./settings.ts";
import { aligned, mebibytes, microseconds } from "./table.ts";

/** An arena that was measured. */
export interface Measured {
  readonly arena: Pick<Arena, "runtime" | "scenario">;
  readonly results: readonly Result[];
}

interface Quantity {
  readonly name: string;
  readonly text: (value: number) => string;
  readonly of: (result: Result) => number | undefined;
}

/** The value that a contender has on the runtime of a goal; `NaN` where it was not measured. */
type Find = (scenario: Scenario, contender: string) => number;

/** How much may be taken at most. */
interface Limit {
  readonly text: string;
  /** Whether the value itself is too much. */
  readonly isBelow?: boolean;
  readonly most: (find: Find, scenario: Scenario) => number;
}

/** The most that a request of ours may take on a runtime in a scenario. */
export interface Goal extends Pick<Arena, "runtime" | "scenario"> {
  /** One for each quantity of the scenario, or one for all of them. */
  readonly limits: readonly Limit[];
}

/** The contender that has the goals. */
export const OURS = "Irori";

const ROUTES = ["GET /users/{id}", "GET /users/search", "POST /users"].map(cpuOf);
const LONG_BODY: readonly Quantity[] = [
  cpuOf("POST 100 kB"),
  { name: "memory under load", text: mebibytes, of: ({ memory }) => memory.load },
];

/** The goals of the library's servers: there are no others. */
export const GOALS: readonly Goal[] = [
  goal("Node", "plain", times("node:http", 1.15)),
  goal("Node", "plain", times("Fastify", 1), times("Fastify", 1), times("Fastify", 0.95)),
  goal("Deno", "plain", times("Hono", 1.3)),
  goal("Bun", "plain", times("Elysia", 1.1), times("Elysia", 1.2), times("Elysia", 1.35)),
  goal("Node", "browser", times("Fastify", 1)),
  goal("Node", "browser", plainAnd(5)),
  goal("Deno", "browser", plainAnd(5)),
  goal("Deno", "browser", below("Hono")),
  goal("Bun", "browser", plainAnd(3)),
  goal("Bun", "browser", below("Hono")),
  goal("Node", "middleware", times("Hono", 1)),
  goal("Deno", "middleware", plainAndAdded("Hono", 1.15)),
  goal("Bun", "middleware", plainAndAdded("Hono", 1.15)),
  goal("Node", "equipped", times("Fastify", 1)),
  goal("Deno", "equipped", times("Hono", 1)),
  goal("Bun", "equipped", times("Elysia", 1.1)),
  goal("Node", "100 kB", times("Fastify", 1.2)),
  goal("Deno", "100 kB", times("Hono", 1.1)),
  goal("Bun", "100 kB", times("Hono", 1.1)),
];

function goal(runtime: Goal["runtime"], scenario: Scenario, ...limits: readonly Limit[]): Goal {
  return { runtime, scenario, limits };
}

export function quantitiesOf(scenario: Scenario): readonly Quantity[] {
  return scenario === "100 kB" ? LONG_BODY : ROUTES;
}

function cpuOf(load: string): Quantity {
  return { name: load, text: microseconds, of: ({ rates }) => rates.get(load)?.cpu };
}

function times(of: string, factor: number): Limit {
  return {
    text: `at most ${factor} × ${of}`,
    most: (find, scenario) => factor * find(scenario, of),
  };
}

function below(of: string): Limit {
  return { text: `below ${of}`, isBelow: true, most: (find, scenario) => find(scenario, of) };
}

function plainAnd(added: number): Limit {
  return { text: `at most plain + ${added} µs`, most: (find) => find("plain", OURS) + added };
}

/** The time that a scenario adds to another limits the time that it adds to ours, times a factor. */
function plainAndAdded(of: string, factor: number): Limit {
  return {
    text: `at most plain + ${factor} × what is added to ${of}`,
    most: (find, scenario) =>
      find("plain", OURS) + factor * (find(scenario, of) - find("plain", of)),
  };
}

/** The result of a goal for one of its quantities. */
export interface Verdict {
  /** Such as `Node, browser: POST /users`. */
  readonly name: string;
  readonly goal: string;
  readonly ours: string;
  readonly most: string;
  readonly isKept: boolean;
}

/** The goals whose sides were all measured in a run. */
export function verdicts(run: readonly Measured[]): readonly Verdict[] {
  return GOALS.flatMap(({ runtime, scenario, limits }) =>
    quantitiesOf(scenario).flatMap(({ name, text, of }, index) => {
      const limit = limits[index] ?? limits[0]!;
      const find: Find = (scenario, contender) => {
        const found = run.find(({ arena }) =>
          arena.runtime === runtime && arena.scenario === scenario
        );
        const result = found?.results.find(({ name }) => name === contender);
        return (result && of(result)) ?? NaN;
      };
      const ours = find(scenario, OURS);
      const most = limit.most(find, scenario);
      if (Number.isNaN(ours) || Number.isNaN(most)) return [];
      return [{
        name: `${titleOf({ runtime, scenario })}: ${name}`,
        goal: limit.text,
        ours: text(ours),
        most: text(most),
        isKept: limit.isBelow ? ours < most : ours <= most,
      }];
    })
  );
}

/** The goals with their verdicts, as a Markdown table. */
export function goalTable(found: readonly Verdict[]): string {
  const rows = found.map(({ name, goal, ours, most, isKept }) => {
    return [name, goal, ours, most, isKept ? "holds" : "**does not hold**"];
  });
  return aligned([["goal of", "goal", OURS, "limit", "verdict"], ...rows]);
}
