import { field, isEmpty, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { actionsOf } from "../../migrations/search/kinds/policy_actions.ts";
import { amountOf } from "../../migrations/search/kinds/quantities.ts";

export interface IndexFacts {
  /** Absent until its job has run once, which begins in the default state, and after a manual change of it. */
  readonly state?: string;
  readonly next?: string;
  /** `_seq_no` of its version of the policy; absent until its job has run once. */
  readonly seqNo?: number;
  /** The current action of its job: `rollover`, `transition`; absent before the first one. */
  readonly action?: string;
  readonly isStopped?: boolean;
  readonly ageMs?: number;
  readonly documents?: number;
  readonly bytes?: number;
}

export interface PredictedEffect {
  readonly isLost: boolean;
  readonly path: readonly string[];
  /** Whether it ends with the deletion of the index; `may` where that depends on unknown facts. */
  readonly deletion: Verdict;
}

/** A job runs every 5 minutes by default, and clocks differ: a limit that is reached by then counts as possible. */
const SOON_MS = 600_000;

type Verdict = "yes" | "may" | "no";

/** Follows the transitions whose conditions hold from the state of an index. The worst effect counts. */
export function predictEffect(policy: unknown, facts: IndexFacts): PredictedEffect {
  const { state, next, seqNo, action, ...rest } = facts;
  const from = (start: string, more: IndexFacts = {}) =>
    predictFrom(policy, start, { ...rest, ...more });
  const first = String(field(policy, "default_state"));
  if (next !== undefined) {
    // It is unknown whether the changed policy still has this transition.
    return worst([from(next), from(state ?? first, { state, action })]);
  }
  if (state !== undefined) return from(state, { state, action });
  if (seqNo === undefined) return from(first);
  const all = listOf(field(policy, "states")).map((one) => from(String(field(one, "name"))));
  return worst([from(first), ...all].map((one) => {
    return one.deletion === "yes" ? { ...one, deletion: "may" } : one;
  }));
}

function predictFrom(policy: unknown, start: string, facts: IndexFacts): PredictedEffect {
  const states = new Map(
    listOf(field(policy, "states")).map((state) => [String(field(state, "name")), state]),
  );
  const first = states.get(start);
  if (first === undefined) return { isLost: true, path: [start], deletion: "no" };

  const found: PredictedEffect[] = [];
  const visited = new Map<string, boolean>();
  const visit = (name: string, isSure: boolean, path: readonly string[]): void => {
    if (visited.has(name) && (visited.get(name) || !isSure)) return;
    visited.set(name, isSure);
    let isNext = isSure;
    for (const transition of listOf(field(states.get(name), "transitions"))) {
      const verdict = verdictOf(field(transition, "conditions"), facts);
      if (verdict === "no") continue;
      isNext &&= verdict === "yes";
      const target = String(field(transition, "state_name"));
      const way = [...path, target];
      const place = deletionAt(states.get(target));
      if (place === "none") {
        found.push({ isLost: false, path: way, deletion: "no" });
        visit(target, isNext && actionsOf(states.get(target)).length === 0, way);
      } else {
        const deletion = isNext && place === "first" ? "yes" : "may";
        found.push({ isLost: false, path: way, deletion });
      }
      if (verdict === "yes") break;
    }
  };
  const stay = { isLost: false, path: [start], deletion: deletionIn(first, facts) };
  const isWaiting = facts.action === "transition" || actionsOf(first).length === 0;
  visit(start, isWaiting && !facts.isStopped, [start]);
  return worst([stay, ...found]);
}

export function dependsOnSize(policy: unknown): boolean {
  return listOf(field(policy, "states")).some((state) =>
    listOf(field(state, "transitions")).some((transition) => {
      const conditions = objectOf(field(transition, "conditions"));
      return "min_doc_count" in conditions || "min_size" in conditions;
    })
  );
}

/** The order is: a certain deletion, a possible one, a job that fails, the longest path. */
function worst(effects: readonly PredictedEffect[]): PredictedEffect {
  const rank = ({ deletion, isLost, path }: PredictedEffect) =>
    (deletion === "yes" ? 3 : deletion === "may" ? 2 : isLost ? 1 : 0) * 1000 + path.length;
  return effects.reduce((best, next) => rank(next) > rank(best) ? next : best);
}

/** Whether a state may delete the index, and whether another action, which may wait, comes first. */
function deletionAt(state: unknown): "first" | "later" | "none" {
  const effects = actionsOf(state).map(({ effect }) => effect);
  if (effects[0] === "deleted") return "first";
  return effects.some((effect) => DELETING.includes(effect)) ? "later" : "none";
}

const DELETING = ["deleted", "deleted later", "unknown"];

/** Whether its current state deletes it. A job that has reached the transitions does no more actions. */
function deletionIn(state: unknown, { state: name, action, isStopped }: IndexFacts): Verdict {
  const place = deletionAt(state);
  if (place === "none" || action === "transition") return "no";
  return name === undefined && place === "first" && !isStopped ? "yes" : "may";
}

function verdictOf(conditions: unknown, facts: IndexFacts): Verdict {
  if (conditions === undefined || conditions === null || isEmpty(conditions)) return "yes";
  const [[name, limit] = [], ...others] = Object.entries(objectOf(conditions));
  if (others.length > 0) return "may";
  switch (name) {
    case "min_index_age":
      return reachedSoon(facts.ageMs, limit);
    case "min_doc_count":
      return reached(facts.documents, typeof limit === "number" ? limit : undefined);
    case "min_size": {
      const bytes = amountOf(limit, "size");
      if (bytes === undefined || facts.bytes === undefined) return "may";
      // The plugin counts nearly, but not exactly, the size on disk.
      return Math.abs(facts.bytes - bytes) < bytes / 10 ? "may" : reached(facts.bytes, bytes);
    }
    case "min_rollover_age":
      // It cannot have been rolled over before its creation.
      return reachedSoon(facts.ageMs, limit) === "no" ? "no" : "may";
  }
  return "may";
}

function reached(value: number | undefined, limit: number | undefined): Verdict {
  if (value === undefined || limit === undefined) return "may";
  return value >= limit ? "yes" : "no";
}

function reachedSoon(ageMs: number | undefined, age: unknown): Verdict {
  const nanoseconds = amountOf(age, "time");
  const limit = nanoseconds === undefined ? undefined : nanoseconds / 1e6;
  const now = reached(ageMs, limit);
  return now === "no" && reached(ageMs! + SOON_MS, limit) === "yes" ? "may" : now;
}
