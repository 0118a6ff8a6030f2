import { listed, nearest } from "../../../text/mod.ts";
import type { FileProblem } from "../../runner/mod.ts";
import { field, isObject, type Json, listOf, objectOf } from "../json/json_values.ts";
import {
  DATA_STREAMS,
  LIFECYCLES,
  PIPELINES,
  REPOSITORIES,
  SCRIPTS,
  SEARCH_PIPELINES,
} from "../kinds/named.ts";
import { flatSettings, INDICES, SETTINGS } from "../kinds/indices.ts";
import { POLICIES } from "../kinds/policies.ts";
import { type LiveResource, resourceOf, wordsFor } from "../kinds/resource.ts";
import { ACTION_GROUPS, OWN_ROLES, ROLE_MAPPINGS, ROLES, USERS } from "../kinds/security.ts";
import { SNAPSHOT_POLICIES } from "../kinds/snapshot_policies.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "../kinds/templates.ts";
import type { Kind } from "../kinds/types.ts";
import { followedClaims, overlap, startOf } from "./overlap.ts";
import type { SearchConnection, SearchMigration } from "../types.ts";

/** Files that need what only a later one makes, and roles with unknown action groups. */
export function checkReferences(
  migrations: readonly SearchMigration[],
  { attachesPolicies = false }: Pick<SearchConnection, "attachesPolicies"> = {},
): readonly FileProblem[] {
  const resources = migrations.flatMap(({ file: { path }, request }, at): Made[] => {
    const resource = resourceOf(request);
    if (resource === undefined || resource.effect === "gone") return [];
    const { kind, key, name, body } = resource;
    return [{ kind, key, name, body, path, at }];
  });
  return [...belated(resources, attachesPolicies), ...unknownGroups(resources)];
}

interface Made extends Pick<LiveResource, "kind" | "key" | "name" | "body"> {
  readonly path: string;
  readonly at: number;
}

interface Need {
  readonly kind: Kind;
  readonly which: string | ((made: Made) => boolean);
  readonly otherwise: string;
}

function* belated(resources: readonly Made[], attachesPolicies: boolean): Iterable<FileProblem> {
  const byKind = Map.groupBy(resources, ({ kind }) => kind);
  const byKey = Map.groupBy(resources, ({ key }) => key);
  for (const made of resources) {
    for (const { kind, which, otherwise } of NEEDS.get(made.kind)?.(made.body, made.name) ?? []) {
      const first = typeof which === "string"
        ? byKey.get(which)?.[0]
        : byKind.get(kind)?.find(which);
      if (first === undefined || first.at <= made.at) continue;
      if (attachesPolicies && otherwise === UNMANAGED) continue;
      const need = `Needs the ${wordsFor(first)}, which '${first.path}' makes only later`;
      yield { severity: "warning", path: made.path, message: `${need}: ${otherwise}` };
    }
  }
}

const REFUSED = "the cluster rejects that before it exists";
const BROKEN = "until then it does not work";
const UNMANAGED = "policies only manage indices that are created after them";

const NEEDS = new Map<Kind, (body: unknown, name: string) => readonly Need[]>([
  [INDEX_TEMPLATES, templateNeeds],
  [COMPONENT_TEMPLATES, templateNeeds],
  [INDICES, (body, name) => [...settingsNeeds(field(body, "settings")), ...managing(name)]],
  [SETTINGS, (body) => settingsNeeds(field(body, "settings") ?? body)],
  [DATA_STREAMS, (_, name) => [
    { kind: INDEX_TEMPLATES, which: matches(name), otherwise: REFUSED },
    ...managing(name),
  ]],
  [PIPELINES, processorNeeds],
  [
    SNAPSHOT_POLICIES,
    (body) => namedNeeds(REPOSITORIES, field(body, "snapshot_config", "repository"), BROKEN),
  ],
  [ROLE_MAPPINGS, (_, name) => namedNeeds(ROLES, name, REFUSED)],
  [USERS, (body) => namedNeeds(ROLES, field(body, OWN_ROLES), REFUSED)],
]);

function templateNeeds(body: unknown): readonly Need[] {
  return [
    ...namedNeeds(COMPONENT_TEMPLATES, field(body, "composed_of"), REFUSED),
    ...settingsNeeds(field(body, "template", "settings")),
  ];
}

const NAMING: Readonly<Record<string, Kind>> = {
  "index.default_pipeline": PIPELINES,
  "index.final_pipeline": PIPELINES,
  "index.search.default_pipeline": SEARCH_PIPELINES,
  "index.lifecycle.name": LIFECYCLES,
  "index.plugins.index_state_management.policy_id": POLICIES,
  "index.opendistro.index_state_management.policy_id": POLICIES,
};

function settingsNeeds(settings: unknown): readonly Need[] {
  const flat = flatSettings(objectOf(settings));
  return Object.entries(NAMING).flatMap(([name, kind]) => namedNeeds(kind, flat[name], BROKEN));
}

function processorNeeds(body: unknown): readonly Need[] {
  const needs: Need[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    needs.push(...namedNeeds(PIPELINES, field(value.pipeline, "name"), BROKEN));
    needs.push(...namedNeeds(SCRIPTS, field(value.script, "id"), REFUSED));
    Object.values(value).forEach(visit);
  };
  visit([field(body, "processors"), field(body, "on_failure")]);
  return needs;
}

/** Policies of index state management manage only indices that are created after them (recorded, 2.19 and 3.4). */
function managing(index: string): readonly Need[] {
  return [{ kind: POLICIES, which: matches(index), otherwise: UNMANAGED }];
}

function namedNeeds(kind: Kind, names: unknown, otherwise: string): readonly Need[] {
  return [names ?? []].flat().filter((name) => typeof name === "string").map((name) => {
    return { kind, which: `${kind.noun} ${name}`, otherwise };
  });
}

function matches(index: string): (made: Made) => boolean {
  return ({ kind, body }) =>
    followedClaims(kind, body).some(({ patterns }) =>
      // Few of thousands of patterns have the start of the name, and comparing it is faster than `overlap`.
      patterns.some((one) => index.startsWith(startOf(one)) && overlap(one, index))
    );
}

/** Action groups of OpenSearch itself (read from 2.19.4 and 3.4.0). */
const BUILT_IN = new Set(
  `cluster_all cluster_composite_ops cluster_composite_ops_ro cluster_manage_index_templates
  cluster_manage_pipelines cluster_monitor create_index crud data_access delete get index indices_all indices_monitor
  kibana_all_read kibana_all_write manage manage_aliases manage_data_streams manage_point_in_time manage_snapshots read
  search suggest unlimited write`.split(/\s+/),
);

/** The cluster accepts an unknown name, which allows nothing. */
function* unknownGroups(resources: readonly Made[]): Iterable<FileProblem> {
  const own = resources.filter(({ kind }) => kind === ACTION_GROUPS).map(({ name }) => name);
  const known = new Set([...BUILT_IN, ...own]);
  for (const { kind, path, body } of resources) {
    if (kind !== ROLES && kind !== ACTION_GROUPS) continue;
    const unknown = allowedActions(objectOf(body))
      // Anything else is a pattern of actions.
      .filter((action) => /^[\w-]+$/.test(action) && !known.has(action));
    for (const name of new Set(unknown)) {
      const near = nearest(name, known).map((other) => `'${other}'`);
      const hint = near.length > 0 ? `: did you mean ${listed(near, "or")}?` : "";
      const message = `Allows '${name}', which is neither an action nor an action group of ` +
        `OpenSearch or of a file here${hint}`;
      yield { severity: "warning", path, message };
    }
  }
}

function allowedActions(body: Json): readonly string[] {
  const within = ["index_permissions", "tenant_permissions"]
    .flatMap((name) =>
      listOf(body[name]).map((permission) => field(permission, "allowed_actions"))
    );
  return [body.cluster_permissions, body.allowed_actions, ...within].flat()
    .filter((action): action is string => typeof action === "string");
}
