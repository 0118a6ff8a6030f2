import { type ErrorBody, illegal, isObject, type Json, noBody, Refused } from "./answers.ts";
import { jsonError, keyAt, type Position, valueAt } from "./json_text.ts";
import { checkTime } from "./setting_rules.ts";

export interface IsmTemplate {
  readonly index_patterns: readonly string[];
  readonly priority: number;
  readonly last_updated_time: number;
}

export interface Policy extends Json {
  readonly default_state: string;
  readonly states: readonly State[];
  readonly ism_template: readonly IsmTemplate[] | null;
}

interface State {
  readonly name: string;
  readonly actions: readonly Json[];
  readonly transitions: readonly Json[];
}

const ACTIONS =
  `alias allocation close convert_index_to_remote custom delete force_merge index_priority notification open read_only
  read_write replica_count rollover rollup shrink snapshot stop_replication transform unfollow`
    .split(/\s+/);

const MEMBERS = [
  "policy_id",
  "description",
  "last_updated_time",
  "schema_version",
  "user",
  "error_notification",
  "default_state",
  "states",
  "ism_template",
];

/** What the plugin makes of the policy that a request sends. @throws {Refused} */
export function readPolicy(id: string, text: string): Policy {
  if (text === "") throw noBody();
  const sent = unwrapped(text);
  const stranger = Object.keys(sent).find((member) => !MEMBERS.includes(member));
  if (stranger !== undefined) throw invalidField(stranger, "Policy");
  if (sent.description === null) {
    const { line, col } = valueAt(text, "policy", "description");
    const reason = `Can't get text on a VALUE_NULL at ${line}:${col}`;
    throw new Refused(500, { type: "illegal_state_exception", reason });
  }
  const now = Date.now();
  const states = ((sent.states ?? []) as Json[]).map(readState);
  const templates = readTemplates(sent.ism_template, now);
  for (const member of ["description", "default_state"]) {
    if (sent[member] === undefined) throw illegal(`${member} is null`);
  }
  const policy = {
    policy_id: id,
    description: sent.description,
    last_updated_time: now,
    schema_version: sent.schema_version ?? 1,
    error_notification: readNotification(sent.error_notification),
    default_state: sent.default_state as string,
    states,
    ism_template: templates,
  };
  checkStates(policy);
  return policy;
}

function unwrapped(text: string): Json {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refused(400, jsonError(text));
  }
  const [first, second] = Object.entries(isObject(body) ? body : {});
  if (!first || !isObject(first[1])) {
    const found = typeof first?.[1] === "string" ? "VALUE_STRING" : "another";
    throw unexpected("START_OBJECT", found, valueAt(text, ...(first ? [first[0]] : [])));
  }
  if (second) throw unexpected("END_OBJECT", "FIELD_NAME", keyAt(text, second[0]));
  return first[1];
}

function unexpected(expected: string, found: string, place: Position): Refused {
  const error: ErrorBody = {
    type: "parsing_exception",
    reason: `Failed to parse object: expecting token of type [${expected}] but found [${found}]`,
    ...place,
  };
  return new Refused(400, error);
}

function invalidField(name: string, where: string): Refused {
  return illegal(`Invalid field: [${name}] found in ${where}.`);
}

function readState(state: Json): State {
  const { name, actions = [], transitions = [], ...others } = state;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw invalidField(stranger, "State");
  const read = {
    name: name as string,
    actions: (actions as Json[]).map(readAction),
    transitions: (transitions as Json[]).map(readTransition),
  };
  if (read.transitions.length > 0 && read.actions.some((action) => action.delete)) {
    throw illegal(`State=${name} cannot contain transitions if using delete action`);
  }
  return read;
}

function readTransition(transition: Json): Json {
  const { conditions } = transition;
  if (isObject(conditions) && Object.keys(conditions).length > 1) {
    throw illegal("Cannot provide more than one Transition condition");
  }
  return isObject(conditions)
    ? { ...transition, conditions: sizesLowered(conditions) }
    : transition;
}

const RETRY = { count: 3, backoff: "exponential", delay: "1m" };

function readAction(action: Json): Json {
  const { timeout, retry, custom, ...rest } = action;
  const [[name, settings] = ["", {}]] = Object.entries(rest) as [string, Json][];
  if (!ACTIONS.includes(name)) throw invalidField(name, "Actions");
  const { backoff = RETRY.backoff, ...attempts } = { ...RETRY, ...retry as Json | undefined };
  return {
    ...(timeout !== undefined && { timeout }),
    retry: { ...attempts, backoff: String(backoff).toLowerCase() },
    ...(custom !== undefined && { custom }),
    [name]: completed(name, settings),
  };
}

function completed(name: string, settings: Json): Json {
  if (name === "alias") return { actions: (settings.actions as Json[]).map(readAliasAction) };
  if (name === "shrink") return { switch_aliases: false, ...settings };
  if (name !== "rollover") return settings;
  if (settings.min_index_age !== undefined) {
    checkTime("min_index_age", String(settings.min_index_age));
  }
  return { copy_alias: false, ...sizesLowered(settings) };
}

function readAliasAction(action: Json): Json {
  return Object.fromEntries(
    Object.entries(action as Record<string, Json>).map(([kind, { alias, aliases, ...rest }]) => {
      return [kind, { ...rest, aliases: aliases ?? [alias] }];
    }),
  );
}

function sizesLowered(settings: Json): Json {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      return [name, name.endsWith("_size") ? String(value).toLowerCase() : value];
    }),
  );
}

function readNotification(notification: unknown): Json | null {
  if (!isObject(notification)) return null;
  const { message_template: template } = notification;
  return {
    ...notification,
    ...(isObject(template) && { message_template: { lang: "mustache", ...template } }),
  };
}

function readTemplates(templates: unknown, now: number): IsmTemplate[] | null {
  if (templates === undefined || templates === null) return null;
  return [templates as Partial<IsmTemplate>].flat().map((template) => {
    const { index_patterns = [], priority = 0, last_updated_time = now } = template;
    if (index_patterns.length === 0) throw illegal("Requires at least one index pattern");
    if (priority < 0) throw illegal("Requires priority to be >= 0");
    return { index_patterns, priority, last_updated_time };
  });
}

function checkStates({ states, default_state: initial }: Policy): void {
  const names = states.map(({ name }) => name);
  for (const { name, transitions } of states) {
    for (const { state_name: next } of transitions) {
      if (names.includes(next as string)) continue;
      throw illegal(
        `Policy contains a transition in state=${name} pointing to a nonexistent state=${next}`,
      );
    }
  }
  if (new Set(names).size < names.length) throw illegal("Policy cannot have duplicate state names");
  if (names.length === 0) throw illegal("Policy must contain at least one State");
  if (!names.includes(initial)) throw illegal("Policy must have a valid default state");
}
