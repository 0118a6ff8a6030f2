import type { Principal } from "./types.ts";

/** All roles that somebody of these has. */
export function rolesOf(all: readonly Pick<Principal, "roles">[]): readonly string[] {
  return [...new Set(all.flatMap(({ roles = [] }) => roles))];
}
