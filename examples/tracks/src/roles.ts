import type { Principal } from "irori/security";

/** All that tokens can give. Whoever has none of them may read. */
export const ROLES = ["user", "admin"];

/** What somebody has written is theirs, and the admins'. */
export function owns(
  user: Principal,
  { author }: { readonly author: string },
): boolean {
  return user.name === author || user.roles?.includes("admin") === true;
}
