import { field, isEmpty, type Json, listOf, objectOf } from "../json/json_values.ts";

/** What is known of an index that a policy manages. */
export interface IndexFacts {
  /** Absent until its job has run once: it begins in the default state. */
  readonly state?: string;
  /** The state that it enters when its job runs next. */
  readonly next?: string;
  /** Of the version that it works with; absent until its job has run once. */
  readonly seqNo?: number;
  /** What its job does: `rollover`, `transition`. */
  readonly action?: string;
  /** Whether its job has stopped. */
  readonly isStopped?: boolean;
  /** Milliseconds since it was made. */
  readonly ageMs?: number;
  /** Of its primaries. */
  readonly documents?: number;
  /** Of its primaries. */
  readonly bytes?: number;
}

/** What a policy does to an index as soon as its job runs with it, by the conditions that hold already. */
export interface PredictedEffect {
  /** Whether the policy lacks the state that the index is in: its job fails. */
  readonly isLost: boolean;
  /** The states that it goes through, its own first; only its own where it stays. */
  readonly path: readonly string[];
  /** Whether that ends with its deletion. `may`: that hangs on something that is not known. */
  readonly deletion: "yes" | "may" | "no";
}

/** Until a job runs next it takes 5 minutes by default, and clocks differ: what is due by then is not safe. */
const SOON_MS = 600_000;

/** The result of a condition. */
type Verdict = "yes" | "may" | "no";

/**
 * Follows the transitions of a policy from the state that an index is in, as far as their conditions hold. Where that may be
 * one of several, the worst counts. Pure.
 */
export function predictEffect(policy: unknown, facts: IndexFacts): PredictedEffect {
  const { state, next, seqNo, action, ...rest } = facts;
  const from = (start: string, more: IndexFacts = {}) =>
    predictFrom(policy, start, { ...rest, ...more });
  const first = String(field(policy, "default_state"));
  if (next !== undefined) {
    // Whether a changed policy still sends it there is not known.
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
      // The first that holds is taken.
      if (verdict === "yes") break;
    }
  };
  const stay: PredictedEffect = {
    isLost: false,
    path: [start],
    deletion: deletionIn(first, facts),
  };
  const isWaiting = facts.action === "transition" || actionsOf(first).length === 0;
  visit(start, isWaiting && !facts.isStopped, [start]);
  return worst([stay, ...found]);
}

/** Whether a condition of some state hangs on how large an index is. */
export function dependsOnSize(policy: unknown): boolean {
  return listOf(field(policy, "states")).some((state) =>
    listOf(field(state, "transitions")).some((transition) => {
      const conditions = objectOf(field(transition, "conditions"));
      return "min_doc_count" in conditions || "min_size" in conditions;
    })
  );
}

/** A certain deletion, then a possible one, then a job that fails, then the longest way. */
function worst(outlooks: readonly PredictedEffect[]): PredictedEffect {
  const rank = ({ deletion, isLost, path }: PredictedEffect) =>
    (deletion === "yes" ? 3 : deletion === "may" ? 2 : isLost ? 1 : 0) * 1000 + path.length;
  return outlooks.reduce((best, next) => rank(next) > rank(best) ? next : best);
}

function actionsOf(state: unknown): readonly unknown[] {
  return listOf(field(state, "actions"));
}

/** Where a state deletes the index, or may: what comes before may wait. */
function deletionAt(state: unknown): "first" | "later" | "none" {
  const actions = actionsOf(state);
  const at = actions.findIndex(mayDelete);
  if (at < 0) return "none";
  return at === 0 && field(actions[0], "delete") !== undefined ? "first" : "later";
}

/** What goes along with an action. */
const BESIDE = ["retry", "timeout", "custom_action"];
const HARMLESS = [
  ...["alias", "allocation", "close", "force_merge", "index_priority", "notification", "open"],
  ...["read_only", "read_write", "replica_count", "rollover", "rollup", "search_only", "shrink"],
  ...["snapshot", "stop_replication", "transform"],
];

/** What is not known to leave the index alone may be a deletion in other words. */
function mayDelete(action: unknown): boolean {
  return Object.entries(objectOf(action)).some(([name, settings]) => {
    if (name === "convert_index_to_remote") {
      return field(settings, "delete_original_index") === true;
    }
    return !HARMLESS.includes(name) && !BESIDE.includes(name);
  });
}

/** Whether the state that it is in deletes it: once its job is at the transitions, it does no more actions. */
function deletionIn(state: unknown, { state: name, action, isStopped }: IndexFacts): Verdict {
  const place = deletionAt(state);
  if (place === "none" || action === "transition") return "no";
  return name === undefined && place === "first" && !isStopped ? "yes" : "may";
}

function verdictOf(conditions: unknown, facts: IndexFacts): Verdict {
  if (conditions === undefined || conditions === null || isEmpty(conditions)) return "yes";
  const [[name, limit], ...others] = Object.entries(objectOf(conditions)) as [
    [string, unknown],
    ...unknown[],
  ];
  if (others.length > 0) return "may";
  switch (name) {
    case "min_index_age":
      return reachedSoon(facts.ageMs, amount(limit, TIMES));
    case "min_doc_count":
      return reached(facts.documents, typeof limit === "number" ? limit : undefined);
    case "min_size": {
      const bytes = amount(limit, SIZES);
      if (bytes === undefined || facts.bytes === undefined) return "may";
      // What the plugin counts is near to what it takes on disk, and not the same.
      return Math.abs(facts.bytes - bytes) < bytes / 10 ? "may" : reached(facts.bytes, bytes);
    }
    case "min_rollover_age":
      // It cannot have been rolled over before its creation.
      return reachedSoon(facts.ageMs, amount(limit, TIMES)) === "no" ? "no" : "may";
  }
  return "may";
}

function reached(value: number | undefined, limit: number | undefined): Verdict {
  if (value === undefined || limit === undefined) return "may";
  return value >= limit ? "yes" : "no";
}

/** What will be reached when a job runs next is not safe from it. */
function reachedSoon(ageMs: number | undefined, limit: number | undefined): Verdict {
  const now = reached(ageMs, limit);
  return now === "no" && reached(ageMs! + SOON_MS, limit) === "yes" ? "may" : now;
}

const TIMES: Json = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const KB = 1024;
const SIZES: Json = {
  ...{ b: 1, k: KB, kb: KB, m: KB ** 2, mb: KB ** 2, g: KB ** 3, gb: KB ** 3 },
  ...{ t: KB ** 4, tb: KB ** 4, p: KB ** 5, pb: KB ** 5 },
};

/** `30d`, `50GB` as the cluster reads them. */
function amount(text: unknown, units: Json): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(String(text)) ?? [];
  const factor = field(units, unit.toLowerCase());
  return number === undefined || typeof factor !== "number" ? undefined : Number(number) * factor;
}
