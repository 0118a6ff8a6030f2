import { quoted } from "../../text/mod.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import { field, isObject, listOf } from "../../migrations/search/json/json_values.ts";
import { MAPPED, OWN_ROLES } from "../../migrations/search/kinds/security.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { accessOf, type Change, changesOf, matches } from "./access.ts";

/** The role with all rights: restoring it needs an admin certificate. */
export const ALL = "all_access";

export interface Identity {
  readonly user: string;
  readonly backendRoles: readonly string[];
  readonly roles: readonly string[];
  readonly address?: string;
  /** Roles of its own entry, which do not depend on mappings; absent if unknown. */
  readonly ownRoles?: readonly string[];
  readonly password?: string;
}

export interface AccessLoss {
  readonly kind: "lost" | "doubtful";
  /** Follows "It "; where no role is lost, the user follows: `deletes`, `changes the role 'r' of`. */
  readonly what: string;
  readonly role?: string;
}

export function accessLossOf(request: SearchRequest, who: Identity): AccessLoss | undefined {
  const access = accessOf(request);
  if (access === undefined) return undefined;
  const { noun, name } = access;
  if (noun === "account") {
    const body = bodyOf(request);
    return isObject(body) ? lossByPassword(body, who) : lost(UNCLEAR_ENTRY);
  }
  if (noun === "other") {
    return lost(`changes '${name}' of the security plugin, which may lock out`);
  }
  return changesOf(access, request).map((change) => lossByChange(noun, change, who))
    .find((loss) => loss !== undefined);
}

export function identityAfter(request: SearchRequest, who: Identity): Identity {
  const access = accessOf(request);
  if (access?.noun !== "user" || who.ownRoles === undefined) return who;
  for (const { name, value, member } of changesOf(access, request)) {
    if (name !== who.user || member !== undefined || value === undefined) continue;
    return { ...who, backendRoles: texts(value, "backend_roles"), ownRoles: ownRolesOf(value) };
  }
  return who;
}

export function isMapped(mapping: unknown, who: Omit<Identity, "roles">): boolean {
  const all = texts(mapping, "and_backend_roles");
  const { user, backendRoles, address } = who;
  return texts(mapping, "users").some((pattern) => matches(pattern, user)) ||
    texts(mapping, "backend_roles").some((pattern) => hasMatch(pattern, backendRoles)) ||
    (all.length > 0 && all.every((pattern) => hasMatch(pattern, backendRoles))) ||
    (address !== undefined &&
      texts(mapping, "hosts").some((pattern) => matches(pattern, address)));
}

export function ownRolesOf(entry: unknown): readonly string[] {
  return texts(entry, OWN_ROLES);
}

function lossByChange(noun: string, change: Change, who: Identity): AccessLoss | undefined {
  const { name, isAddition } = change;
  const doubtful = (what: string): AccessLoss => ({ kind: "doubtful", what });
  switch (noun) {
    case "role mapping": {
      // Without `all_access` no user could repair it.
      const isConcerned = mayBe(name, [...who.roles, ALL], who.ownRoles);
      return isAddition || !isConcerned ? undefined : lossByMapping(change, who);
    }
    case "user":
      return isAddition || !mayBe(name, [who.user]) ? undefined : lossByEntry(change, who);
    case "role":
      return mayBe(name, who.roles) ? doubtful(`changes ${called("role", name)} of`) : undefined;
    case "action group":
      // `all_access` allows everything, and cannot be changed.
      if (isAddition || who.roles.includes(ALL)) return undefined;
      return doubtful(
        `changes ${called("action group", name)}, which may be part of the rights of`,
      );
  }
}

function mayBe(
  name: string | undefined,
  names: readonly string[],
  except: readonly string[] = [],
): boolean {
  return names.some((one) => (name ?? one) === one && !except.includes(one));
}

function called(noun: string, name: string | undefined): string {
  return name === undefined ? `any ${noun}` : `the ${noun} '${name}'`;
}

function lossByMapping(
  { name, value, member, isUnclear }: Change,
  who: Identity,
): AccessLoss | undefined {
  const mapping = `the mapping of ${called("role", name)}`;
  if (isUnclear || name === undefined) {
    return lost(`changes ${mapping} in an unknown way, which may lock out`);
  }
  if (member !== undefined) {
    if (!MAPPED.includes(member) || isMapped({ [member]: value }, who)) return undefined;
    return lost(`takes '${member}' of ${mapping}, by which it may be granted`, name);
  }
  if (value === undefined) return lost(`deletes ${mapping}`, name);
  return isMapped(value, who) ? undefined : lost(`maps ${called("role", name)} to others`, name);
}

function lossByEntry({ value, member, isUnclear }: Change, who: Identity): AccessLoss | undefined {
  if (isUnclear) return lost(UNCLEAR_ENTRY);
  if (value === undefined && member === undefined) return lost("deletes");
  const entry = member === undefined ? value : { [member]: value };
  const has = (name: string) => member === undefined || member === name;
  const roles = who.backendRoles.filter((role) => !texts(entry, "backend_roles").includes(role));
  if (has("backend_roles") && roles.length > 0) {
    return lost(`takes the backend role ${quoted(roles)} from`);
  }
  const own = (who.ownRoles ?? []).filter((role) => !ownRolesOf(entry).includes(role));
  if (has(OWN_ROLES) && own.length > 0) {
    return lost(`takes the role ${quoted(own)} from`);
  }
  const service = field(entry, "attributes", "service");
  // The plugin generates the password of a service account (tried, 2.19).
  if (String(service).toLowerCase() === "true") return lost("makes a service account of");
  return lossByPassword(entry, who);
}

const UNCLEAR_ENTRY = "changes, in an unknown way, the entry of";

function lossByPassword(entry: unknown, who: Identity): AccessLoss | undefined {
  const password = field(entry, "password");
  const isOther = password !== undefined && password !== who.password;
  if (!isOther && field(entry, "hash") === undefined) return undefined;
  return lost("changes the password of");
}

function lost(what: string, role?: string): AccessLoss {
  return { kind: "lost", what, ...(role !== undefined && { role }) };
}

function texts(value: unknown, name: string): readonly string[] {
  return listOf(field(value, name)).filter((text) => typeof text === "string");
}

function hasMatch(pattern: string, names: readonly string[]): boolean {
  return names.some((name) => matches(pattern, name));
}
