import { isEmpty } from "../../migrations/search/json/json_values.ts";
import { POLICIES } from "../../migrations/search/kinds/policies.ts";
import {
  ACTION_GROUPS,
  ROLE_MAPPINGS,
  ROLES,
  TENANTS,
  USERS,
} from "../../migrations/search/kinds/security.ts";
import { SNAPSHOT_POLICIES } from "../../migrations/search/kinds/snapshot_policies.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "../../migrations/search/kinds/templates.ts";
import type { Kind } from "../../migrations/search/kinds/types.ts";
import {
  ANY,
  BOOLEAN,
  type Field,
  type Fields,
  INTEGER,
  list,
  map,
  object,
  type Place,
  pointer,
  required,
  TEXT,
  TEXT_MAP,
  TEXTS,
} from "./fields.ts";
import { CRON, POLICY } from "./policies.ts";

const TEMPLATE: Field = object({
  settings: ANY,
  mappings: ANY,
  aliases: map({
    index: withoutMeaning(),
    alias: withoutMeaning(),
    filter: ANY,
    routing: TEXT,
    isWriteIndex: BOOLEAN,
  }),
});

/** OpenSearch 2.19.4 accepts both and drops them. */
function withoutMeaning(): Field {
  return {
    ...TEXT,
    then: (_, place) => place.warn("Left out: clusters ignore it in the alias of a template"),
  };
}

export interface ResourceKind {
  readonly kind: string;
  readonly makes: Kind;
  readonly fields: Fields;
  readonly aside?: Fields;
  /** The field with its name on the cluster. @default `metadata.name` */
  readonly name?: string;
  readonly finish?: (body: Body, aside: Body, place: Place) => Body;
}

type Body = Record<string, unknown>;

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    kind: "OpenSearchISMPolicy",
    makes: POLICIES,
    fields: POLICY,
    aside: { policyId: TEXT, applyToExistingIndices: BOOLEAN },
    name: "policyId",
    finish(policy, aside, place) {
      if (aside.apply_to_existing_indices) {
        place.at("applyToExistingIndices").warn(
          "Left out: the operator attaches the policy once, when it creates it. Attach it to other " +
            "existing indices with POST /_plugins/_ism/add/<index>",
        );
      }
      return { policy };
    },
  },
  {
    kind: "OpensearchIndexTemplate",
    makes: INDEX_TEMPLATES,
    fields: {
      indexPatterns: required(TEXTS),
      dataStream: object({
        timestamp_field: {
          ...object({ name: TEXT }),
          then: (field) => isEmpty(field) ? undefined : field,
        },
      }),
      template: { ...TEMPLATE, fallback: {} },
      composedOf: TEXTS,
      priority: INTEGER,
      version: INTEGER,
      _meta: ANY,
    },
    aside: { name: TEXT },
    name: "name",
  },
  {
    kind: "OpensearchComponentTemplate",
    makes: COMPONENT_TEMPLATES,
    fields: {
      template: required(TEMPLATE),
      version: INTEGER,
      _meta: ANY,
    },
    aside: { name: TEXT, allowAutoCreate: BOOLEAN },
    name: "name",
    finish(template, aside, place) {
      if (aside.allow_auto_create) {
        place.at("allowAutoCreate").warn(
          "Left out: no component template of OpenSearch has it, and the operator does not send it",
        );
      }
      return template;
    },
  },
  {
    kind: "OpensearchSnapshotPolicy",
    makes: SNAPSHOT_POLICIES,
    fields: {
      description: pointer(TEXT),
      enabled: pointer(BOOLEAN),
      snapshotConfig: required(object({
        dateFormat: TEXT,
        dateFormatTimezone: TEXT,
        indices: TEXT,
        repository: required(TEXT),
        ignoreUnavailable: pointer(BOOLEAN),
        includeGlobalState: pointer(BOOLEAN),
        partial: pointer(BOOLEAN),
        metadata: TEXT_MAP,
      })),
      creation: required(object({ schedule: required(CRON), timeLimit: pointer(TEXT) })),
      deletion: object({
        schedule: CRON,
        timeLimit: pointer(TEXT),
        deleteCondition: {
          ...object({
            maxCount: pointer(INTEGER),
            maxAge: pointer(TEXT),
            minCount: pointer(INTEGER),
          }),
          to: "condition",
        },
      }),
      notification: object({
        channel: required(object({ id: required(TEXT) })),
        conditions: object({
          creation: pointer(BOOLEAN),
          deletion: pointer(BOOLEAN),
          failure: pointer(BOOLEAN),
        }),
      }),
    },
    aside: { policyName: TEXT },
    name: "policyName",
  },
  {
    kind: "OpensearchActionGroup",
    makes: ACTION_GROUPS,
    fields: {
      allowedActions: required(TEXTS),
      type: TEXT,
      description: TEXT,
    },
  },
  {
    kind: "OpensearchTenant",
    makes: TENANTS,
    fields: { description: { ...TEXT, keepsZero: true, fallback: "" } },
  },
  {
    kind: "OpensearchRole",
    makes: ROLES,
    fields: {
      clusterPermissions: TEXTS,
      indexPermissions: list({
        indexPatterns: TEXTS,
        dls: TEXT,
        fls: TEXTS,
        allowedActions: TEXTS,
        maskedFields: TEXTS,
      }),
      tenantPermissions: list({ tenantPatterns: TEXTS, allowedActions: TEXTS }),
    },
    finish(role, _, place) {
      if (Object.keys(role).length > 0) return role;
      place.warn(
        "The role has no permissions: clusters refuse an empty one, so the file lists none",
      );
      return { cluster_permissions: [] };
    },
  },
  {
    kind: "OpensearchUser",
    makes: USERS,
    fields: {
      opendistroSecurityRoles: TEXTS,
      backendRoles: TEXTS,
      attributes: TEXT_MAP,
    },
    aside: {
      passwordFrom: required(object({ name: TEXT, key: required(TEXT), optional: BOOLEAN })),
    },
  },
  {
    kind: "OpensearchUserRoleBinding",
    makes: ROLE_MAPPINGS,
    fields: {
      roles: required(TEXTS),
      users: TEXTS,
      backendRoles: TEXTS,
    },
  },
];
