import type { Principal } from "irori/security";

/** The roles of tokens. A user without a role may read. */
export const ROLES = ["user", "admin"];

/** Authors may change their own texts, admins may change all. */
export function owns(
  user: Principal,
  { author }: { readonly author: string },
): boolean {
  return user.name === author || user.roles?.includes("admin") === true;
}
