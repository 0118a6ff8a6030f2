import { isEmpty, type Json, listOf, mapValues, objectOf, omit } from "../json/json_values.ts";
import { isSame } from "../json/compare.ts";
import { pluginPath } from "../cluster/request.ts";
import { namedKind, withForms } from "./named.ts";
import type { Kind, KindFile, KindList } from "./types.ts";

/** Members that the security plugin of OpenSearch shows, and does not accept. */
const SHOWN_ONLY = ["reserved", "hidden", "static"];

const PASSWORDS = ["password", "hash", "password_hash"];

export const OWN_ROLES = "opendistro_security_roles";

export const MAPPED = ["users", "backend_roles", "and_backend_roles", "hosts"];

/** The names of lists in paths of earlier versions, which still work (2.19 and 3.4). */
const FORMER_LISTS: Readonly<Record<string, string>> = {
  internalusers: "user",
  actiongroups: "actiongroup",
};

export const ROLES: Kind = plugin("roles", "role", "84-roles", {
  ending: "-role",
  members: { array: ["cluster_permissions", "index_permissions", "tenant_permissions"] },
}, roleForm);

export const ROLE_MAPPINGS: Kind = plugin("rolesmapping", "role mapping", "88-role-mappings", {
  ending: "-role-mapping",
  members: { array: MAPPED },
});

export const ACTION_GROUPS: Kind = plugin("actiongroups", "action group", "80-action-groups", {
  ending: "-action-group",
  members: { array: ["allowed_actions"] },
});

export const TENANTS: Kind = plugin("tenants", "tenant", "82-tenants", {
  ending: "-tenant",
  members: { string: ["description"] },
  // The plugin refuses a tenant without a description.
  least: '{"description":""}',
});

/** Users of OpenSearch. Passwords cannot be read back. */
export const USERS: Kind = {
  ...plugin("internalusers", "user", "86-users", {
    ending: "-user",
    members: {
      string: ["password", "hash"],
      array: ["backend_roles", OWN_ROLES],
      object: ["attributes"],
    },
  }, userForm),
  secrets: PASSWORDS,
};

export const ELASTIC_ROLES: Kind = {
  ...namedKind("_security/role", "role", "84-roles", elasticRoleForm, {
    ending: "-role",
    members: { array: ["cluster", "indices", "applications", "run_as"] },
    isOf: "Elasticsearch",
  }),
  shown: "completely",
};

export const ELASTIC_ROLE_MAPPINGS: Kind = {
  ...namedKind("_security/role_mapping", "role mapping", "88-role-mappings", filledForm, {
    ending: "-role-mapping",
    members: { object: ["rules"] },
    isOf: "Elasticsearch",
  }),
  shown: "completely",
};

export const ELASTIC_USERS: Kind = {
  ...namedKind("_security/user", "user", "86-users", elasticUserForm, {
    ending: "-user",
    members: { array: ["roles"] },
    isOf: "Elasticsearch",
  }),
  shown: "completely",
  secrets: PASSWORDS,
};

export const SECURITY: readonly Kind[] = [
  ROLES,
  ROLE_MAPPINGS,
  ACTION_GROUPS,
  TENANTS,
  // Before the users of OpenSearch, because its roles identify it.
  ELASTIC_USERS,
  USERS,
  ELASTIC_ROLES,
  ELASTIC_ROLE_MAPPINGS,
];

/** A path of the security plugin: a list, the name of one in it, and what follows the name. */
export const SECURITY_PATH: RegExp = pluginPath("_security/api/([^/]+)(?:/([^/]+))?(/.*)?");

export function kindOfList(list: string): Kind | undefined {
  return SECURITY.find(({ pattern }) => pattern.test(`/_plugins/_security/api/${list}/name`));
}

function plugin(
  path: string,
  noun: string,
  folder: string,
  { least, ...file }: KindFile & Pick<KindList, "least">,
  formOf: (body: unknown) => unknown = filledForm,
): Kind {
  const own = (body: unknown) => formOf(omit(objectOf(body), (_, key) => SHOWN_ONLY.includes(key)));
  return {
    ...namedKind(`_plugins/_security/api/${path}`, noun, folder, own, {
      ...file,
      shownOnly: SHOWN_ONLY,
    }),
    shown: "exactly",
    // Tried with 2.19 and 3.4.
    readsPatterns: false,
    list: {
      path: `/_plugins/_security/api/${path}`,
      ...(least !== undefined && { least }),
      isBuiltIn: (body, name) =>
        SHOWN_ONLY.some((key) => body[key] === true) || isShipped(noun, name, own(body)),
    },
    pattern: pluginPath(`_security/api/(?:${FORMER_LISTS[path] ?? path}|${path})/([^/]+)`),
  };
}

/** Unprotected defaults of the security plugin; a changed one counts as the user's (2.19 and 3.4). */
const SHIPPED: Readonly<Record<string, Json>> = {
  "tenant admin_tenant": { description: "Demo tenant for admin user" },
  "role mapping all_access": { backend_roles: ["admin"], description: "Maps admin to all_access" },
  "role mapping kibana_user": {
    backend_roles: ["kibanauser"],
    description: "Maps kibanauser to kibana_user",
  },
  "role mapping logstash": { backend_roles: ["logstash"] },
  "role mapping manage_snapshots": { backend_roles: ["snapshotrestore"] },
  "role mapping own_index": {
    users: ["*"],
    description: "Allow full access to an index named like the username",
  },
  "role mapping readall": { backend_roles: ["readall"] },
};

function isShipped(noun: string, name: string, form: unknown): boolean {
  const shipped = SHIPPED[`${noun} ${name}`];
  return shipped !== undefined && isSame(shipped, form);
}

/** Without empty members: clusters add empty lists and objects, and lose empty texts (tried, 2.19 and 3.4). */
function filledForm(body: unknown): Json {
  return omit(withForms(body, {}), (value) => value === "" || isEmpty(value));
}

function filledForms(list: unknown): readonly Json[] {
  return listOf(list).map(filledForm);
}

function roleForm(body: unknown): unknown {
  const forms = { index_permissions: filledForms, tenant_permissions: filledForms };
  return withForms(filledForm(body), forms);
}

/** Passwords and hashes are never shown; attributes are stored as texts. */
function userForm(body: unknown): unknown {
  const { attributes, ...shown } = omit(objectOf(body), (_, key) => PASSWORDS.includes(key));
  const texts = mapValues(objectOf(attributes), (value) => value === null ? value : `${value}`);
  return filledForm({ ...shown, attributes: texts });
}

function elasticRoleForm(body: unknown): unknown {
  return withForms(filledForm(body), {
    indices: (list) =>
      filledForms(list).map((one) =>
        omit(one, (is, name) => name === "allow_restricted_indices" && is === false)
      ),
    transient_metadata: () => null,
  });
}

function elasticUserForm(body: unknown): unknown {
  return filledForm(
    omit(objectOf(body), (value, key) => {
      return key === "username" || PASSWORDS.includes(key) || (key === "enabled" && value === true);
    }),
  );
}
