import { quoted } from "../../../text/mod.ts";
import { field, isObject, listOf, valueOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import { accessOf, type Change, changesOf, matches } from "./access.ts";

/** The role that everything may be done with: who loses it needs an admin certificate. */
export const ALL = "all_access";

/** As whom a run is, in the words of the security plugin. */
export interface Identity {
  readonly user: string;
  readonly backendRoles: readonly string[];
  /** Roles of the plugin that the user has, by mappings or by its own entry. */
  readonly roles: readonly string[];
  /** Where it asks from, without its port. */
  readonly address?: string;
  /** Roles that its own entry gives it, whatever mappings say; absent where that is not known. */
  readonly ownRoles?: readonly string[];
  /** Its password, where it has one. */
  readonly password?: string;
}

/** What a request takes from the user as whom it is sent. */
export interface AccessLoss {
  /** `lost`: a right or the entry of the user, at once; `doubtful`: what a role of the user allows. */
  readonly kind: "lost" | "doubtful";
  /** As it follows "It "; where no role is lost, the user follows: `deletes`, `changes the role 'r' of`. */
  readonly what: string;
  /** The role that is lost, where it is one. */
  readonly role?: string;
}

/** What a request takes from whom it is sent as, if anything. Pure. */
export function accessLossOf(request: SearchRequest, who: Identity): AccessLoss | undefined {
  const access = accessOf(request);
  if (access === undefined) return undefined;
  const { list, name } = access;
  if (list === "account") return accountAccessLoss(valueOf(request.body), who);
  if (list === "other") {
    return { kind: "lost", what: `changes '${name}' of the security plugin, which may lock out` };
  }
  return changesOf(access, request).map((change) => threatOfChange(list, change, who))
    .find((threat) => threat !== undefined);
}

/** Who the user is after a request: its own entry gives it other backend roles and roles. */
export function identityAfter(request: SearchRequest, who: Identity): Identity {
  const access = accessOf(request);
  // Only the entry of a user who logs in by it says something of it.
  if (access?.list !== "internalusers" || who.ownRoles === undefined) return who;
  for (const { name, value, member } of changesOf(access, request)) {
    if (name !== who.user || member !== undefined || value === undefined) continue;
    return { ...who, backendRoles: texts(value, "backend_roles"), ownRoles: ownRolesOf(value) };
  }
  return who;
}

/** Whether a mapping gives its role to a user. */
export function isMapped(mapping: unknown, who: Omit<Identity, "roles">): boolean {
  const all = texts(mapping, "and_backend_roles");
  const { user, backendRoles, address } = who;
  return texts(mapping, "users").some((pattern) => matches(pattern, user)) ||
    texts(mapping, "backend_roles").some((pattern) => hasMatch(pattern, backendRoles)) ||
    (all.length > 0 && all.every((pattern) => hasMatch(pattern, backendRoles))) ||
    (address !== undefined &&
      texts(mapping, "hosts").some((pattern) => matches(pattern, address)));
}

/** What the entry of a user says of its roles. */
export function ownRolesOf(entry: unknown): readonly string[] {
  return texts(entry, "opendistro_security_roles");
}

function threatOfChange(
  list: "rolesmapping" | "internalusers" | "roles" | "actiongroups",
  change: Change,
  who: Identity,
): AccessLoss | undefined {
  const { name, isAddition } = change;
  switch (list) {
    case "rolesmapping":
      // Without that role no user could repair it.
      if (isAddition || !mayBe(name, [...who.roles, ALL], who.ownRoles)) return undefined;
      return threatOfMapping(change, who);
    case "internalusers":
      if (isAddition || !mayBe(name, [who.user])) return undefined;
      return threatOfUser(change, who);
    case "roles":
      if (!mayBe(name, who.roles)) return undefined;
      return {
        kind: "doubtful",
        what: `changes ${called("role", name)} of`,
      };
    case "actiongroups":
      // That role allows everything, and cannot be changed.
      if (isAddition || who.roles.includes(ALL)) return undefined;
      return {
        kind: "doubtful",
        what: `changes ${called("action group", name)}, by which roles may allow something to`,
      };
  }
}

/** Whether what is called so, or any where nothing is said, is one of these. */
function mayBe(
  name: string | undefined,
  names: readonly string[],
  but: readonly string[] = [],
): boolean {
  return names.some((one) => (name ?? one) === one && !but.includes(one));
}

function called(noun: string, name: string | undefined): string {
  return name === undefined ? `any ${noun}` : `the ${noun} '${name}'`;
}

const MEMBERS = ["users", "backend_roles", "and_backend_roles", "hosts"];

function threatOfMapping(
  { name, value, member, isUnclear }: Change,
  who: Identity,
): AccessLoss | undefined {
  const mapping = `the mapping of ${called("role", name)}`;
  if (isUnclear || name === undefined) {
    const what = `changes ${mapping} in an unknown way, which may lock out`;
    return { kind: "lost", what };
  }
  const lost = (what: string): AccessLoss => ({ kind: "lost", role: name, what });
  if (member !== undefined) {
    if (!MEMBERS.includes(member) || isMapped({ [member]: value }, who)) return undefined;
    return lost(`takes '${member}' of ${mapping}, by which it may be given`);
  }
  if (value === undefined) return lost(`deletes ${mapping}`);
  if (isMapped(value, who)) return undefined;
  return lost(`maps ${called("role", name)} to others`);
}

function threatOfUser(
  { value, member, isUnclear }: Change,
  who: Identity,
): AccessLoss | undefined {
  const lost = (what: string): AccessLoss => ({ kind: "lost", what });
  if (isUnclear) return lost(UNCLEAR_ENTRY);
  if (value === undefined && member === undefined) return lost("deletes");
  const entry = member === undefined ? value : { [member]: value };
  const has = (name: string) => member === undefined ? true : member === name;
  const roles = who.backendRoles.filter((role) => !texts(entry, "backend_roles").includes(role));
  if (has("backend_roles") && roles.length > 0) {
    return lost(`takes the backend role ${quoted(roles)} from`);
  }
  const own = (who.ownRoles ?? []).filter((role) => !ownRolesOf(entry).includes(role));
  if (has("opendistro_security_roles") && own.length > 0) {
    return lost(`takes the role ${quoted(own)} from`);
  }
  const service = field(field(entry, "attributes"), "service");
  // The plugin gives such an account a password of its own (tried, 2.19).
  if (String(service).toLowerCase() === "true") return lost("makes a service account of");
  return threatOfPassword(entry, who);
}

const UNCLEAR_ENTRY = "changes, in an unknown way, the entry of";

/** It is sent as the user whose password it changes. */
function accountAccessLoss(body: unknown, who: Identity): AccessLoss | undefined {
  return isObject(body) ? threatOfPassword(body, who) : { kind: "lost", what: UNCLEAR_ENTRY };
}

function threatOfPassword(entry: unknown, who: Identity): AccessLoss | undefined {
  const password = field(entry, "password");
  const isOther = password !== undefined && password !== who.password;
  if (!isOther && field(entry, "hash") === undefined) return undefined;
  return { kind: "lost", what: "gives another password to" };
}

function texts(value: unknown, name: string): readonly string[] {
  return listOf(field(value, name)).filter((text) => typeof text === "string");
}

function hasMatch(pattern: string, names: readonly string[]): boolean {
  return names.some((name) => matches(pattern, name));
}
