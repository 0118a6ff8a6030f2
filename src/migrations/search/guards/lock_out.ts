import { quoted } from "../../../text/mod.ts";
import type { FileIdentity, FileProblem } from "../../runner/mod.ts";
import { describeFailure, errorType, hasNoHandler } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { field, isObject, listOf, valueOf } from "../json/json_values.ts";
import { basicOf } from "../cluster/redactor.ts";
import type { SearchConnection, SearchMigration } from "../types.ts";
import { accessOf } from "./access.ts";
import {
  type AccessLoss,
  accessLossOf,
  ALL,
  type Identity,
  identityAfter,
  isMapped,
  ownRolesOf,
} from "./access_loss.ts";

const READ = { repeatSafe: true, mayBeForbidden: true };

/**
 * What would lock out the user as whom a run is. One request that asks who that is, where users, roles or mappings change;
 * a second one where something is found.
 *
 * @returns errors for what is in force at once, warnings for what may be
 */
export async function lockOutDangers(
  cluster: Cluster,
  connection: Pick<SearchConnection, "authorization">,
  migrations: readonly SearchMigration[],
): Promise<readonly FileProblem[]> {
  const concerned = migrations.filter(({ request }) => accessOf(request) !== undefined);
  const [first] = concerned;
  if (first === undefined) return [];
  const asked = await whoAmI(cluster, connection);
  if ("unknown" in asked) {
    const { path } = first.file;
    const message =
      `It is not known as whom this run is, nor whether it locks itself out: ${asked.unknown}`;
    return [{ severity: "warning", path, message }, ...suspicions(connection, concerned, asked)];
  }
  if (asked.who === undefined) return [];
  const { who } = asked;
  const touchesSelf = concerned.some(({ request }) => {
    const access = accessOf(request);
    return access?.list === "internalusers" && (access.name ?? who.user) === who.user;
  });
  const isThreatened = accessLossesOf(concerned, who).length > 0;
  // What its own entry gives it stays whatever a mapping says. Who logs in otherwise has none.
  const isOwn = basicOf(connection.authorization) !== undefined && (isThreatened || touchesSelf);
  const self = isOwn ? await withOwnRoles(cluster, who) : who;
  const { user, backendRoles } = self;
  const roles = backendRoles.length > 0 ? ` with the backend role ${quoted(backendRoles)}` : "";
  const name = `as whom this run is ('${user}'${roles})`;
  return accessLossesOf(concerned, self).map(([{ file }, threat]) => {
    const isElsewhere = threat.role !== undefined && !self.roles.includes(threat.role);
    return problemOf(file, isElsewhere ? "who has it now" : `the user ${name}`, threat);
  });
}

/** What may lock out the user of the connection, who may be anybody, and have that role. */
function suspicions(
  { authorization }: Pick<SearchConnection, "authorization">,
  migrations: readonly SearchMigration[],
  { unknown }: { readonly unknown: string },
): readonly FileProblem[] {
  const user = basicOf(authorization)?.username;
  const who = { user: user ?? "", backendRoles: [], roles: [ALL] };
  const name = user === undefined ? "" : `'${user}'; `;
  const self = `the user as whom this run may be (${name}the cluster does not say: ${unknown})`;
  return accessLossesOf(migrations, who).map(([{ file }, threat]) => problemOf(file, self, threat));
}

/** In order: one file may give the user another way in before the next takes one. */
function accessLossesOf(
  migrations: readonly SearchMigration[],
  start: Identity,
): readonly (readonly [SearchMigration, AccessLoss])[] {
  let who = start;
  return migrations.flatMap((migration) => {
    const threat = accessLossOf(migration.request, who);
    who = identityAfter(migration.request, who);
    return threat === undefined ? [] : [[migration, threat] as const];
  });
}

/** Changes in files that lock out the user of the connection, as far as files show them. */
export function lockOutWarnings(
  { authorization }: Pick<SearchConnection, "authorization">,
  migrations: readonly SearchMigration[],
): readonly FileProblem[] {
  const user = basicOf(authorization)?.username;
  if (user === undefined) return [];
  const warnings: FileProblem[] = [];
  for (const { request, file: { path } } of migrations) {
    const access = accessOf(request);
    if (access?.list !== "rolesmapping" || access.name !== ALL || request.method === "PATCH") {
      continue;
    }
    const mapping = valueOf(request.body);
    if (request.method === "PUT" && isMapped(mapping, { user, backendRoles: [] })) continue;
    const others = ["backend_roles", "and_backend_roles", "hosts"].flatMap((name) => {
      return listOf(field(mapping, name)).map(String);
    });
    const what = request.method === "DELETE" ? "Deletes the mapping of" : "Maps";
    const unless = others.length > 0 ? `, unless ${quoted(others)} is one that it has` : "";
    const message =
      `${what} '${ALL}' without '${user}', the user of this connection: that locks it out${unless}`;
    warnings.push({ severity: "warning", path, message });
  }
  return warnings;
}

function problemOf(
  { path }: FileIdentity,
  self: string,
  { kind, what, role }: AccessLoss,
): FileProblem {
  if (kind === "doubtful") {
    const message = `It ${what} ${self}: the rest of this run may be refused`;
    return { severity: "warning", path, message };
  }
  const loss = role === undefined
    ? ` ${self}: that is in force at once`
    : `: ${self} loses it at once`;
  const way = role === undefined || role === ALL
    ? ", and without another way in only an admin certificate helps"
    : "";
  return { severity: "error", path, message: `It ${what}${loss}${way}` };
}

/** As whom requests are sent; without `who` the cluster has no such thing as users. */
async function whoAmI(
  cluster: Cluster,
  { authorization }: Pick<SearchConnection, "authorization">,
): Promise<{ readonly who?: Identity } | { readonly unknown: string }> {
  const request = { method: "GET", path: "/_plugins/_security/authinfo" };
  const answer = await cluster.sendToPlugin(request, READ);
  // There is no security plugin: what is sent to it is refused.
  const isNone = errorType(answer) === "index_not_found_exception";
  if (hasNoHandler(answer) || isNone) return {};
  const user = field(answer.json, "user_name");
  if (answer.status !== 200 || typeof user !== "string") {
    return { unknown: describeFailure(answer) };
  }
  const texts = (name: string) => listOf(field(answer.json, name)).map(String);
  const address = field(answer.json, "remote_address");
  const password = basicOf(authorization)?.password;
  return {
    who: {
      user,
      backendRoles: texts("backend_roles"),
      roles: texts("roles"),
      ...(typeof address === "string" &&
        { address: address.replace(/:\d+$/, "").replace(/^\[|\]$/g, "") }),
      ...(password !== undefined && { password }),
    },
  };
}

/**
 * With what its entry among the internal users gives it; as it was where there is none, or it may not be read. A user of the
 * same name from elsewhere, who has other backend roles than the entry, has nothing of it.
 */
async function withOwnRoles(cluster: Cluster, who: Identity): Promise<Identity> {
  const path = `/_plugins/_security/api/internalusers/${encodeURIComponent(who.user)}`;
  const { status, json } = await cluster.ask({ method: "GET", path });
  const entry = field(json, who.user);
  if (status !== 200 || !isObject(entry)) return who;
  const said = listOf(field(entry, "backend_roles")).map(String).sort().join();
  const isSame = said === [...who.backendRoles].sort().join();
  return isSame ? { ...who, ownRoles: ownRolesOf(entry) } : who;
}
