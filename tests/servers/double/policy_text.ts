import { type ErrorBody, illegal, isObject, type Json, missingBody, Refused } from "./answers.ts";
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

/** Parses and completes a policy as the plugin does. @throws {Refused} */
export function readPolicy(id: string, text: string): Policy {
  if (text === "") throw missingBody();
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

/** Completes an action like `populateAction` of the plugin's actions (2.19.4.0 and 3.4.0.0, read on 2026-11-23). */
function completed(name: string, settings: Json): Json {
  switch (name) {
    case "alias":
      return { actions: (settings.actions as Json[]).map(readAliasAction) };
    case "allocation":
      return { require: {}, include: {}, exclude: {}, wait_for: false, ...settings };
    case "notification":
      return readNotification(settings)!;
    case "rollover":
      if (settings.min_index_age !== undefined) {
        checkTime("min_index_age", String(settings.min_index_age));
      }
      return { copy_alias: false, ...sizesLowered(settings) };
    case "rollup":
      return { ism_rollup: readRollup(settings.ism_rollup as Json) };
    case "shrink":
      return readShrink(settings);
    case "transform":
      return { ism_transform: readTransform(settings.ism_transform as Json) };
  }
  return settings;
}

function readShrink({ aliases, ...settings }: Json): Json {
  const { target_index_name_template: target } = settings;
  return {
    switch_aliases: false,
    ...sizesLowered(settings),
    ...(target !== undefined && { target_index_name_template: readScript(target) }),
    ...(Array.isArray(aliases) && { aliases: aliases.map(readAlias) }),
  };
}

function readAlias(alias: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(alias).map(
      ([name, { index_routing: index, search_routing: search, ...rest }]) => {
        const routing = index !== undefined && index === search ? { routing: index } : {
          ...(index !== undefined && { index_routing: index }),
          ...(search !== undefined && { search_routing: search }),
        };
        return [name, { is_write_index: null, ...rest, ...routing }];
      },
    ),
  );
}

function readScript(script: unknown): Json {
  const { params, ...rest } = (typeof script === "string" ? { source: script } : script) as Json;
  const isEmpty = params === undefined || Object.keys(params as Json).length === 0;
  return { lang: "mustache", ...rest, ...(!isEmpty && { params }) };
}

function readRollup(rollup: Json): Json {
  const { dimensions = [], metrics = [] } = rollup as Record<string, Json[]>;
  return {
    description: "",
    target_index: "",
    page_size: 0,
    ...rollup,
    dimensions: dimensions.map(readDimension),
    metrics: metrics.map(({ target_field: _, ...metric }) => metric),
  };
}

function readTransform(transform: Json): Json {
  const { groups = [] } = transform as Record<string, Json[]>;
  const { data_selection_query: query = { match_all: {} } } = transform;
  return {
    description: "",
    target_index: "",
    page_size: 0,
    aggregations: {},
    ...transform,
    data_selection_query: readQuery(query as Json),
    groups: groups.map(readDimension),
  };
}

function readDimension(dimension: Json): Json {
  const [[kind, settings] = ["", {}]] = Object.entries(dimension) as [string, Json][];
  const added = kind === "date_histogram" ? { timezone: "UTC", format: null } : {};
  return { [kind]: { target_field: settings.source_field, ...added, ...settings } };
}

/** As the search slow log of 2.19.4 and 3.4.0 writes these queries. */
function readQuery(query: Json): Json {
  const [[kind, value] = ["", {}]] = Object.entries(query) as [string, Json][];
  const [[field, said] = ["", {}]] = Object.entries(value) as [string, Json][];
  const boost = 1.0;
  switch (kind) {
    case "term":
      return { term: { [field]: { boost, ...(isObject(said) ? said : { value: said }) } } };
    case "range": {
      const { gt, gte = gt, lt, lte = lt, ...rest } = said;
      const bounds = { from: gte ?? null, to: lte ?? null };
      const included = { include_lower: gt === undefined, include_upper: lt === undefined };
      return { range: { [field]: { ...bounds, ...included, boost, ...rest } } };
    }
    case "bool": {
      const clauses = Object.entries(value).map(([name, clause]) => {
        return [
          name,
          isObject(clause) || Array.isArray(clause)
            ? [clause].flat().map((one) => readQuery(one as Json))
            : clause,
        ];
      });
      return { bool: { adjust_pure_negative: true, boost, ...Object.fromEntries(clauses) } };
    }
  }
  return { [kind]: { boost, ...value } };
}

function readAliasAction(action: Json): Json {
  return Object.fromEntries(
    Object.entries(action as Record<string, Json>).map(([kind, { alias, aliases, ...rest }]) => {
      return [kind, { ...rest, aliases: aliases ?? [alias] }];
    }),
  );
}

/** `10G` is written as `10gb`. */
function sizeText(size: string): string {
  return size.toLowerCase().replace(/^(\d+)([kmgtp])$/, "$1$2b");
}

function sizesLowered(settings: Json): Json {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      return [name, name.endsWith("_size") ? sizeText(String(value)) : value];
    }),
  );
}

function readNotification(notification: unknown): Json | null {
  if (!isObject(notification)) return null;
  const { destination, message_template: template } = notification;
  const webhook = isObject(destination) ? destination.custom_webhook : undefined;
  return {
    ...notification,
    ...(isObject(webhook) && { destination: { custom_webhook: readWebhook(webhook) } }),
    ...(template !== undefined && { message_template: readScript(template) }),
  };
}

function readWebhook(webhook: Json): Json {
  const unset = ["url", "scheme", "host", "path", "username", "password"];
  return {
    ...Object.fromEntries(unset.map((name) => [name, null])),
    port: -1,
    query_params: {},
    header_params: {},
    ...webhook,
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
