import { defined, quoted } from "../../text/mod.ts";
import type { FileProblem } from "../../migrations/runner/mod.ts";
import {
  describeFailure,
  errorType,
  hasNoHandler,
} from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { basicOf } from "../../migrations/search/cluster/redactor.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import { field, isObject, listOf, stringOf } from "../../migrations/search/json/json_values.ts";
import { MAPPED, USERS } from "../../migrations/search/kinds/security.ts";
import type { SearchConnection, SearchMigration } from "../../migrations/search/types.ts";
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

type Connection = Pick<SearchConnection, "authorization">;

/** Changes that would lock out the user of a run. Sends one request, or two where a loss is found. */
export async function lockOutDangers(
  cluster: Cluster,
  connection: Connection,
  migrations: readonly SearchMigration[],
): Promise<readonly FileProblem[]> {
  const concerned = migrations.filter(({ request }) => accessOf(request) !== undefined);
  const [first] = concerned;
  if (first === undefined) return [];
  const asked = await whoAmI(cluster, connection);
  if (asked === undefined) return [];
  if (typeof asked === "string") {
    const user = basicOf(connection.authorization)?.username;
    const probable = user === undefined ? "" : `probably '${user}'; `;
    const self = `the user of this run (${probable}the cluster does not tell: ${asked})`;
    const message =
      `The user of this run is unknown, and so is whether it locks itself out: ${asked}`;
    return [
      { severity: "warning", path: first.file.path, message },
      ...problemsOf(concerned, { user: user ?? "", backendRoles: [], roles: [ALL] }, self),
    ];
  }
  const changesSelf = concerned.some(({ request }) => {
    const access = accessOf(request);
    return access?.noun === "user" && (access.name ?? asked.user) === asked.user;
  });
  // Only internal users have an entry, and mappings cannot take the roles of that entry.
  const mayHaveEntry = basicOf(connection.authorization) !== undefined &&
    (changesSelf || accessLossesOf(concerned, asked).length > 0);
  const self = mayHaveEntry ? await withOwnRoles(cluster, asked) : asked;
  const { user, backendRoles } = self;
  const roles = backendRoles.length > 0 ? ` with the backend role ${quoted(backendRoles)}` : "";
  return problemsOf(concerned, self, `the user of this run ('${user}'${roles})`);
}

/** Follows the files in order, because one file may give the user other access before the next takes it. */
function accessLossesOf(
  migrations: readonly SearchMigration[],
  start: Identity,
): readonly (readonly [SearchMigration, AccessLoss])[] {
  let who = start;
  return migrations.flatMap((migration) => {
    const loss = accessLossOf(migration.request, who);
    who = identityAfter(migration.request, who);
    return loss === undefined ? [] : [[migration, loss] as const];
  });
}

function problemsOf(
  migrations: readonly SearchMigration[],
  who: Identity,
  self: string,
): readonly FileProblem[] {
  return accessLossesOf(migrations, who).map(([{ file: { path } }, { kind, what, role }]) => {
    const isOfOthers = role !== undefined && !who.roles.includes(role);
    const whose = isOfOthers ? "every user who has it now" : self;
    if (kind === "doubtful") {
      const message = `It ${what} ${whose}: the rest of this run may be refused`;
      return { severity: "warning", path, message };
    }
    const loss = role === undefined ? ` ${whose}, immediately` : `: ${whose} loses it immediately`;
    const advice = role === undefined || role === ALL
      ? "; without other access only an admin certificate can restore it"
      : "";
    return { severity: "error", path, message: `It ${what}${loss}${advice}` };
  });
}

export function lockOutWarnings(
  { authorization }: Connection,
  migrations: readonly SearchMigration[],
): readonly FileProblem[] {
  const user = basicOf(authorization)?.username;
  if (user === undefined) return [];
  const warnings: FileProblem[] = [];
  for (const { request, file: { path } } of migrations) {
    const access = accessOf(request);
    if (access?.noun !== "role mapping" || access.name !== ALL || request.method === "PATCH") {
      continue;
    }
    const mapping = bodyOf(request);
    if (request.method === "PUT" && isMapped(mapping, { user, backendRoles: [] })) continue;
    const others = MAPPED.filter((name) => name !== "users")
      .flatMap((name) => listOf(field(mapping, name)).map(String));
    const what = request.method === "DELETE" ? "Deletes the mapping of" : "Maps";
    const unless = others.length > 0 ? `, unless it has ${quoted(others)}` : "";
    const message =
      `${what} '${ALL}' without '${user}', the user of this connection: that locks it out${unless}`;
    warnings.push({ severity: "warning", path, message });
  }
  return warnings;
}

/** @returns why the cluster does not tell, as a text; nothing where there is no security plugin */
async function whoAmI(
  cluster: Cluster,
  { authorization }: Connection,
): Promise<Identity | string | undefined> {
  const request = { method: "GET", path: "/_plugins/_security/authinfo" };
  const options = { repeatSafe: true, mayBeForbidden: true };
  const answer = await cluster.sendToPlugin(request, options);
  const isNone = errorType(answer) === "index_not_found_exception";
  if (hasNoHandler(answer) || isNone) return undefined;
  const user = field(answer.json, "user_name");
  if (answer.status !== 200 || typeof user !== "string") return describeFailure(answer);
  const texts = (name: string) => listOf(field(answer.json, name)).map(String);
  const address = stringOf(field(answer.json, "remote_address"));
  return defined<Identity>({
    user,
    backendRoles: texts("backend_roles"),
    roles: texts("roles"),
    address: address?.replace(/:\d+$/, "").replace(/^\[|\]$/g, ""),
    password: basicOf(authorization)?.password,
  });
}

/** Adds the roles of its readable entry among the internal users, if their backend roles agree. */
async function withOwnRoles(cluster: Cluster, who: Identity): Promise<Identity> {
  const path = USERS.path(encodeURIComponent(who.user));
  const { status, json } = await cluster.ask({ method: "GET", path });
  const entry = field(json, who.user);
  if (status !== 200 || !isObject(entry)) return who;
  const roles = listOf(field(entry, "backend_roles")).map(String).sort().join();
  const isSame = roles === [...who.backendRoles].sort().join();
  return isSame ? { ...who, ownRoles: ownRolesOf(entry) } : who;
}
