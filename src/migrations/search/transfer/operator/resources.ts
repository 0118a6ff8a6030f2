import { POLICIES } from "../../kinds/policies.ts";
import { ACTION_GROUPS, ROLE_MAPPINGS, ROLES, TENANTS, USERS } from "../../kinds/security.ts";
import { SNAPSHOT_POLICIES } from "../../kinds/snapshot_policies.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "../../kinds/templates.ts";
import type { Kind } from "../../kinds/types.ts";
import { POLICY } from "./policies.ts";
import { ACTION_GROUP, BINDING, ROLE, TENANT, USER } from "./security.ts";
import { BOOLEAN, type Fields, object, type Place, required, TEXT } from "./shapes.ts";
import { SNAPSHOT_POLICY } from "./snapshots.ts";
import { COMPONENT_TEMPLATE, INDEX_TEMPLATE } from "./templates.ts";

/** A kind of resource of the operator. */
export interface ResourceKind {
  /** As its definition has it. */
  readonly kind: string;
  /** What it makes on the cluster. */
  readonly makes: Kind;
  /** What the request has. */
  readonly fields: Fields;
  /** What it has besides, and the request has not. */
  readonly aside?: Fields;
  /** The field that names it on the cluster. @default `metadata.name` does */
  readonly name?: string;
  /** Makes the body of the request. */
  readonly finish?: (body: Body, aside: Body, place: Place) => Body;
}

type Body = Record<string, unknown>;

/** Its `roles` are files of their own each. */
const USER_ROLE_BINDING: ResourceKind = {
  kind: "OpensearchUserRoleBinding",
  makes: ROLE_MAPPINGS,
  fields: BINDING,
};

/** Its password is in no manifest. */
const OPENSEARCH_USER: ResourceKind = {
  kind: "OpensearchUser",
  makes: USERS,
  fields: USER,
  aside: {
    passwordFrom: required(object({ name: TEXT, key: required(TEXT), optional: BOOLEAN })),
  },
};

/** The kinds that the operator gives up in version 4. */
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
          "Left out: the operator attaches the policy once, when it makes it. To other indices that are " +
            "there already it is attached by POST /_plugins/_ism/add/<index>",
        );
      }
      return { policy };
    },
  },
  {
    kind: "OpensearchIndexTemplate",
    makes: INDEX_TEMPLATES,
    fields: INDEX_TEMPLATE,
    aside: { name: TEXT },
    name: "name",
  },
  {
    kind: "OpensearchComponentTemplate",
    makes: COMPONENT_TEMPLATES,
    fields: COMPONENT_TEMPLATE,
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
    fields: SNAPSHOT_POLICY,
    aside: { policyName: TEXT },
    name: "policyName",
  },
  { kind: "OpensearchActionGroup", makes: ACTION_GROUPS, fields: ACTION_GROUP },
  { kind: "OpensearchTenant", makes: TENANTS, fields: TENANT },
  {
    kind: "OpensearchRole",
    makes: ROLES,
    fields: ROLE,
    finish(role, _, place) {
      if (Object.keys(role).length > 0) return role;
      place.warn(
        "The role has no permissions: clusters refuse an empty one, so the file lists none",
      );
      return { cluster_permissions: [] };
    },
  },
  OPENSEARCH_USER,
  USER_ROLE_BINDING,
];
