import { escaped, quoted } from "../../../text/mod.ts";
import { field, isObject, type Json, listOf, objectOf, valueOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";

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
export interface Threat {
  /** `lost`: a right or the entry of the user, at once; `doubtful`: what a role of the user allows. */
  readonly kind: "lost" | "doubtful";
  /** As it follows "It "; where no role is lost, the user follows: `deletes`. */
  readonly what: string;
  /** The role that is lost, where it is one. */
  readonly role?: string;
}

/** What a request works on: mappings, users or roles, one of them or all. */
export interface Access {
  readonly list: "rolesmapping" | "internalusers" | "roles";
  /** Absent where it is a PATCH of all of them. */
  readonly name?: string;
}

const PATH =
  /^\/_(?:plugins|opendistro)\/_security\/api\/(rolesmapping|internalusers|roles)(?:\/([^/]+))?\/?$/;

/** What of users, roles and mappings a request changes. */
export function accessOf({ method, path }: SearchRequest): Access | undefined {
  if (method !== "PUT" && method !== "PATCH" && method !== "DELETE") return undefined;
  const [, list, name] = PATH.exec(path.split("?")[0] ?? "") ?? [];
  if (list === undefined) return undefined;
  return { list: list as Access["list"], ...(name !== undefined && { name: decoded(name) }) };
}

/** What a request takes from whom it is sent as, if anything. Pure. */
export function threatOf(request: SearchRequest, who: Identity): Threat | undefined {
  const access = accessOf(request);
  if (access === undefined) return undefined;
  return changesOf(access, request).map((change) => threatOfChange(access.list, change, who))
    .find((threat) => threat !== undefined);
}

/** Who the user is after a request: its own entry gives it other backend roles and roles. */
export function identityAfter(request: SearchRequest, who: Identity): Identity {
  const access = accessOf(request);
  if (access?.list !== "internalusers") return who;
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

/** One object that a request writes, deletes or changes a member of. */
interface Change {
  readonly name: string;
  /** Of the whole, or of the member; absent where it is taken away. */
  readonly value?: unknown;
  /** The member that alone is changed. */
  readonly member?: string;
}

function changesOf({ name }: Access, { method, body }: SearchRequest): readonly Change[] {
  if (method === "DELETE") return name === undefined ? [] : [{ name }];
  const json = valueOf(body);
  if (method === "PUT") return name === undefined ? [] : [{ name, value: objectOf(json) }];
  return listOf(json).filter(isObject).flatMap((operation) => patched(operation, name));
}

/** What an operation of a JSON Patch (RFC 6902) changes; what it adds to a list takes nothing from anybody. */
function patched({ op, path, from, value }: Json, name: string | undefined): readonly Change[] {
  const changes: Change[] = [];
  const change = (pointer: unknown, to: unknown) => {
    const steps = String(pointer).split("/").slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const [object, member, ...deeper] = name === undefined ? steps : [name, ...steps];
    if (object === undefined) return;
    if (deeper.length > 0 && to !== undefined && op !== "replace") return;
    // An element that is taken away may be any.
    const whole = deeper.length > 0 ? undefined : to;
    changes.push({
      name: object,
      ...(whole !== undefined && { value: whole }),
      ...(member !== undefined && { member }),
    });
  };
  if (op === "move") change(from, undefined);
  if (op === "remove") change(path, undefined);
  if (op === "add" || op === "replace") change(path, value ?? null);
  if (op === "copy" || op === "move") change(path, null);
  return changes;
}

function threatOfChange(
  list: Access["list"],
  change: Change,
  who: Identity,
): Threat | undefined {
  switch (list) {
    case "rolesmapping":
      return threatOfMapping(change, who);
    case "internalusers":
      return change.name === who.user ? threatOfUser(change, who) : undefined;
    case "roles":
      if (!who.roles.includes(change.name)) return undefined;
      return { kind: "doubtful", what: `changes the role '${change.name}'` };
  }
}

const MEMBERS = ["users", "backend_roles", "and_backend_roles", "hosts"];

function threatOfMapping({ name, value, member }: Change, who: Identity): Threat | undefined {
  if (!who.roles.includes(name) || who.ownRoles?.includes(name)) return undefined;
  const lost = (what: string): Threat => ({ kind: "lost", role: name, what });
  if (member !== undefined) {
    if (!MEMBERS.includes(member) || isMapped({ [member]: value }, who)) return undefined;
    return lost(
      `takes '${member}' of the mapping of the role '${name}', by which it may be given`,
    );
  }
  if (value === undefined) return lost(`deletes the mapping of the role '${name}'`);
  if (isMapped(value, who)) return undefined;
  return lost(`maps the role '${name}' to others`);
}

function threatOfUser({ value, member }: Change, who: Identity): Threat | undefined {
  const lost = (what: string): Threat => ({ kind: "lost", what });
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
  const password = field(entry, "password");
  const isOther = typeof password === "string" && password !== who.password;
  if (isOther || typeof field(entry, "hash") === "string") {
    return lost("gives another password to");
  }
}

function texts(value: unknown, name: string): readonly string[] {
  return listOf(field(value, name)).filter((text) => typeof text === "string");
}

function hasMatch(pattern: string, names: readonly string[]): boolean {
  return names.some((name) => matches(pattern, name));
}

/** As the plugin does: `*` and `?`, or an expression between slashes. */
function matches(pattern: string, name: string): boolean {
  const [, inner] = /^\/([^]*)\/$/.exec(pattern) ?? [];
  const source = inner ?? escaped(pattern).replaceAll("\\*", "[^]*").replaceAll("\\?", "[^]");
  try {
    return new RegExp(`^(?:${source})$`).test(name);
  } catch {
    return false; // Of Java alone: what is not understood protects nobody.
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
