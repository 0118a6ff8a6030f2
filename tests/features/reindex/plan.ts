import { Random } from "../../../src/features/verify/random.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** A disturbance of a run. */
export type Trouble =
  | "none"
  | "killed"
  | "killed twice"
  | "frozen"
  | "frozen, the next killed"
  | "asked to end"
  | "answer lost"
  | "refused for now"
  | "two at once"
  | "two at once, one killed";

/** The state of the file when the next run begins. */
export type Then = "same" | "reverted" | "changed" | "removed" | "given up";

/** One case of the proof: everything in it follows from its seed, but for how the work of the cluster interleaves. */
export interface Plan {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly trouble: Trouble;
  /** Which request it befalls: the n-th of all, of those that change something, or of those that are no `_bulk` besides. */
  readonly at: number;
  readonly counted: "all" | "changes" | "steps";
  /** Before the cluster gets the request, or when it has done it. */
  readonly when: "before" | "after";
  readonly then: Then;
  /** When a frozen run wakes up: when the next has sent so many requests, or has ended. */
  readonly thawAt: number | "end";
  /** The status of a temporary refusal, and how often it is sent. */
  readonly status: 429 | 502 | 503;
  readonly times: number;
  /** How long the applications run before. */
  readonly warmUpMs: number;
}

const TROUBLES: readonly Trouble[] = [
  "killed",
  "killed",
  "killed twice",
  "frozen",
  "frozen",
  "frozen, the next killed",
  "asked to end",
  "answer lost",
  "refused for now",
  "two at once",
  "two at once, one killed",
];
const CUT_OFF: readonly Trouble[] = [
  "killed",
  "killed twice",
  "frozen",
  "frozen, the next killed",
  "asked to end",
];
const THENS: readonly Then[] = [
  "same",
  "same",
  "same",
  "reverted",
  "changed",
  "removed",
  "given up",
];
/** Requests that an undisturbed run sends at most, about. */
const REQUESTS = { all: 80, changes: 30, steps: 10 };

/** How long deleted documents take at least until they are made again. */
const MADE_AGAIN_MS = 2000;

/** A case without any trouble. */
export function calmPlan(scenario: Scenario, seed = 1): Plan {
  return {
    seed,
    scenario,
    trouble: "none",
    at: 0,
    counted: "all",
    when: "before",
    then: "same",
    thawAt: "end",
    status: 503,
    times: 1,
    warmUpMs: 400 + (scenario.style?.isMadeAgain ? MADE_AGAIN_MS : 0),
  };
}

/** The case of a seed. Seeds that follow each other go through all scenarios. */
export function planOf(seed: number): Plan {
  const random = new Random(seed, "plan");
  const scenario = SCENARIOS[seed % SCENARIOS.length]!;
  const trouble = random.pick(TROUBLES);
  const counted = random.pick(["all", "changes", "steps"] as const);
  const chosen = random.pick(THENS);
  return {
    seed,
    scenario,
    trouble,
    counted,
    at: random.integer(1, REQUESTS[counted]),
    when: random.pick(["before", "after"] as const),
    then: CUT_OFF.includes(trouble) ? chosen : "same",
    thawAt: random.chance(0.5) ? "end" : random.integer(1, REQUESTS.all),
    status: random.pick([429, 502, 503] as const),
    times: random.integer(1, 3),
    warmUpMs: random.integer(100, 800) + (scenario.style?.isMadeAgain ? MADE_AGAIN_MS : 0),
  };
}

/** The case in a line. */
export function describePlan(
  { seed, scenario, trouble, at, counted, when, then, thawAt, status, times }: Plan,
): string {
  const where = `${when} ${{ all: "request", changes: "change", steps: "step" }[counted]} ${at}`;
  const details: Record<Trouble, string> = {
    "none": "",
    "killed": where,
    "killed twice": where,
    "frozen": `${where} until ${thawAt === "end" ? "the next ended" : `its request ${thawAt}`}`,
    "frozen, the next killed": where,
    "asked to end": where,
    "answer lost": where,
    "refused for now": `${status} ${where}, ${times} times`,
    "two at once": "",
    "two at once, one killed": where,
  };
  const after = then === "same" ? "" : `, then the file is ${then}`;
  return `seed ${seed}: ${scenario.name}; ${`${trouble} ${details[trouble]}`.trim()}${after}`;
}
