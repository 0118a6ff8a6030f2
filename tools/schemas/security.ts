/** Roles, users and what else the security of clusters consists of. */
import type { Clients, ClientTypes } from "./client_types.ts";
import { ANY, list, map, type Members, object, ref, type Schema } from "./forms.ts";
import { relaxed } from "./relaxed.ts";

export function security({ opensearch, elasticsearch }: Clients): Members {
  const texts = { type: ["array", "string"], items: ref("text") };
  const flags = { reserved: ref("boolean"), hidden: ref("boolean"), static: ref("boolean") };
  const closed = (root: string, more: Members = {}) =>
    object({ ...membersOf(opensearch, root), ...flags, ...more }, { closed: true });
  return {
    role: closed("role", {
      index_permissions: list(object({
        index_patterns: texts,
        allowed_actions: texts,
        dls: { type: ["string", "null"] },
        fls: texts,
        masked_fields: { type: ["array", "string", "null"] },
      })),
      tenant_permissions: list(object({ tenant_patterns: texts, allowed_actions: texts })),
    }),
    roleMapping: closed("roleMapping"),
    actionGroup: closed("actionGroup"),
    tenant: closed("tenant"),
    user: closed("user", { attributes: map(ANY) }),
    "elasticsearch.role": object({
      ...membersOf(elasticsearch, "role"),
      ...ANYTHING,
      transient_metadata: ANY,
    }),
    "elasticsearch.roleMapping": object({
      ...membersOf(elasticsearch, "roleMapping"),
      ...ANYTHING,
    }),
    "elasticsearch.user": object({ ...membersOf(elasticsearch, "user"), ...ANYTHING }),
  };
}

const ANYTHING: Members = { metadata: ANY, rules: ANY, full_name: ANY, email: ANY, global: ANY };

function membersOf(client: ClientTypes, root: string): Members {
  return relaxed(client, client.root(root)).properties as Readonly<Record<string, Schema>>;
}
