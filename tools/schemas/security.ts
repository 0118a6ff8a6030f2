/** Roles, users and what else the security of clusters consists of. */
import type { Clients, ClientTypes } from "./client_types.ts";
import { ANY, list, map, type Members, object, orNull, ref, type Schema, words } from "./forms.ts";
import { relaxed } from "./relaxed.ts";

const CLOSED = { closed: true };
const texts = list(ref("text"));

export function security({ opensearch, elasticsearch }: Clients): Members {
  const shown = { reserved: ref("boolean"), hidden: ref("boolean"), static: ref("boolean") };
  const own = (root: string, more: Members) =>
    object({ ...membersOf(opensearch, root), ...shown, ...more }, CLOSED);
  const elastic = (root: string, more: Members) =>
    object({ ...membersOf(elasticsearch, root), metadata: ANY, ...more }, CLOSED);
  const { indices } = membersOf(elasticsearch, "role");
  const privileges = indices!.items as Schema;
  return {
    role: own("role", {
      cluster_permissions: texts,
      index_permissions: list(object({
        index_patterns: texts,
        allowed_actions: texts,
        dls: { type: ["string", "number", "boolean", "null"] },
        fls: orNull(texts),
        masked_fields: orNull(texts),
      }, CLOSED)),
      tenant_permissions: list(object({ tenant_patterns: texts, allowed_actions: texts }, CLOSED)),
    }),
    roleMapping: own("roleMapping", {
      users: texts,
      hosts: texts,
      backend_roles: texts,
      and_backend_roles: texts,
    }),
    actionGroup: own("actionGroup", {
      allowed_actions: texts,
      type: words("all", "cluster", "index", "kibana"),
    }),
    tenant: own("tenant", {}),
    user: own("user", {
      backend_roles: texts,
      opendistro_security_roles: texts,
      attributes: map(ref("text")),
    }),
    "elasticsearch.role": elastic("role", {
      indices: list({ allOf: [privileges], required: ["names", "privileges"] }),
      global: ANY,
      transient_metadata: ANY,
    }),
    "elasticsearch.roleMapping": elastic("roleMapping", { rules: ref("elasticsearch.rule") }),
    "elasticsearch.rule": object({
      all: list(ref("elasticsearch.rule")),
      any: list(ref("elasticsearch.rule")),
      except: ref("elasticsearch.rule"),
      field: map(ANY),
    }, CLOSED),
    "elasticsearch.user": elastic("user", { full_name: ANY, email: ANY }),
  };
}

function membersOf(client: ClientTypes, root: string): Members {
  return relaxed(client, client.root(root), { closed: true, exact: true }).properties as Members;
}
