import { type Json, listOf } from "../../json/json_values.ts";
import type { Resource } from "./read_resource.ts";

/** Who has a role, by all bindings that name it. */
export interface RoleMapping {
  readonly role: string;
  readonly body: Json;
  /** The first binding that names it. */
  readonly binding: Resource;
}

/** One mapping a role: several bindings may name one role, and a binding may name several. */
export function roleMappings(bindings: readonly Resource[]): readonly RoleMapping[] {
  const mappings = new Map<
    string,
    { users: Set<string>; backendRoles: Set<string>; binding: Resource }
  >();
  for (const binding of bindings) {
    const { body, manifest: { place } } = binding;
    const [users, backendRoles] = [texts(body.users), texts(body.backend_roles)];
    if (users.length + backendRoles.length === 0) {
      place.at("spec").warn("Left out: it maps its roles to no user");
      continue;
    }
    const roles = texts(body.roles);
    if (roles.length === 0) place.at("spec").at("roles").warn("Left out: it gives no role");
    for (const role of roles) {
      const mapping = mappings.get(role) ??
        { users: new Set(), backendRoles: new Set(), binding };
      mappings.set(role, mapping);
      for (const user of users) mapping.users.add(user);
      for (const backendRole of backendRoles) mapping.backendRoles.add(backendRole);
    }
  }
  return [...mappings].map(([role, { users, backendRoles, binding }]) => ({
    role,
    binding,
    body: {
      ...(backendRoles.size > 0 && { backend_roles: [...backendRoles] }),
      ...(users.size > 0 && { users: [...users] }),
    },
  }));
}

function texts(value: unknown): readonly string[] {
  return listOf(value).map(String);
}
