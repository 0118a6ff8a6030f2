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
import { each } from "../../text/typescript.ts";
import {
  ANY,
  BOOLEAN,
  type Field,
  type FieldPlace,
  type Fields,
  INTEGER,
  list,
  map,
  object,
  pointer,
  required,
  TEXT,
  TEXT_MAP,
  TEXTS,
} from "./fields.ts";
import { CRON, POLICY } from "./policies.ts";

const TEMPLATE: Field = object({
  ...each("settings mappings", ANY),
  aliases: map({
    // OpenSearch 2.19.4 accepts both and drops them.
    ...each("index alias", leftOut(TEXT, "clusters ignore it in the alias of a template")),
    filter: ANY,
    routing: TEXT,
    isWriteIndex: BOOLEAN,
  }),
});

function leftOut(field: Field, why: string): Field {
  return { ...field, then: (_, place) => place.warn(`Left out: ${why}`) };
}

export interface ResourceKind {
  readonly kind: string;
  readonly makes: Kind;
  readonly fields: Fields;
  readonly aside?: Fields;
  /** The field with its name on the cluster. @default `metadata.name` */
  readonly name?: string;
  readonly finish?: (body: Body, place: FieldPlace) => Body;
}

type Body = Record<string, unknown>;

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    kind: "OpenSearchISMPolicy",
    makes: POLICIES,
    fields: POLICY,
    aside: {
      applyToExistingIndices: leftOut(
        BOOLEAN,
        "the operator attaches the policy once, when it creates it. Attach it to other existing indices with " +
          "POST /_plugins/_ism/add/<index>",
      ),
    },
    name: "policyId",
    finish: (policy) => ({ policy }),
  },
  {
    kind: "OpensearchIndexTemplate",
    makes: INDEX_TEMPLATES,
    fields: {
      indexPatterns: required(TEXTS),
      dataStream: object({
        timestamp_field: { ...object({ name: TEXT }), keepsZero: false },
      }),
      template: { ...TEMPLATE, fallback: {} },
      composedOf: TEXTS,
      priority: INTEGER,
      version: INTEGER,
      _meta: ANY,
    },
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
    aside: {
      allowAutoCreate: leftOut(
        BOOLEAN,
        "no component template of OpenSearch has it, and the operator does not send it",
      ),
    },
    name: "name",
  },
  {
    kind: "OpensearchSnapshotPolicy",
    makes: SNAPSHOT_POLICIES,
    fields: {
      description: pointer(TEXT),
      enabled: pointer(BOOLEAN),
      snapshotConfig: required(object({
        ...each("dateFormat dateFormatTimezone indices", TEXT),
        repository: required(TEXT),
        ...each("ignoreUnavailable includeGlobalState partial", pointer(BOOLEAN)),
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
        conditions: object(each("creation deletion failure", pointer(BOOLEAN))),
      }),
    },
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
    finish(role, place) {
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
