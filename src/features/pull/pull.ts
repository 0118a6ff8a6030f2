import { isSecret, quoted } from "../../text/mod.ts";
import { type DocumentVersion, FeatureError } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import { type JsonMember, jsonOf, objectText } from "../../migrations/search/json/json.ts";
import { field, listOf, objectOf, valueOf } from "../../migrations/search/json/json_values.ts";
import { KINDS, type LiveResource, resourceOf } from "../../migrations/search/kinds/resource.ts";
import { CLUSTER_SETTINGS, REPOSITORIES } from "../../migrations/search/kinds/named.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "../../migrations/search/kinds/templates.ts";
import { escapedText, fileOf, filesOf, placeholderName, type WrittenFile } from "./written_file.ts";
import type { SearchConnection, SearchMigration } from "../../migrations/search/types.ts";
import { matcherOf } from "../../migrations/search/cluster/request.ts";
import {
  type ListedKind,
  liveBodies,
  type LiveBody,
  type LiveFilter,
  type Unreadable,
} from "./live.ts";

export interface PullSelection {
  readonly kinds?: readonly string[] | undefined;
  readonly match?: string | undefined;
}

export interface Pulled {
  readonly files: readonly PulledFile[];
  readonly leftOut: readonly { readonly kinds: readonly string[]; readonly reason: string }[];
  readonly placeholders: readonly PulledPlaceholder[];
}

export interface PulledFile {
  readonly path: string;
  readonly text: string;
  readonly resource: string;
  readonly madeBy?: { readonly path: string; readonly isSame: boolean };
  readonly version?: DocumentVersion;
  readonly hasHiddenFields?: true;
}

interface PulledPlaceholder {
  readonly name: string;
  readonly of: string;
  readonly isDeclared: boolean;
}

export class PullError extends FeatureError {
  override readonly name = "PullError";
}

/** Files for the live resources that users have created. @throws {PullError} for a kind that is asked for and cannot be read */
export async function pullCluster(
  { cluster, connection: { name: connection, placeholders = {} }, migrations }: {
    readonly cluster: Cluster;
    readonly connection: Pick<SearchConnection, "name" | "placeholders">;
    readonly migrations: readonly SearchMigration[];
  },
  { kinds, match = "*" }: PullSelection,
): Promise<Pulled> {
  const isDeclared = (name: string) => Object.hasOwn(placeholders, name);
  const unknown = kinds?.find((kind) => !GROUPS.has(kind));
  if (unknown !== undefined) {
    const message = `Unknown kind '${unknown}': expected one or more of ${quoted(GROUPS.keys())}`;
    throw new PullError(message, connection);
  }
  const pattern = matcherOf(match);
  const filter = {
    connection,
    matches: (name: string) => pattern.test(name),
    isSaid: setByFiles(migrations),
  };
  const live: LiveBody[] = [];
  const unreadable: (Unreadable & { readonly name: string })[] = [];
  for (const [name, group] of GROUPS) {
    if (kinds && !kinds.includes(name)) continue;
    const found = await readGroup(cluster, group, filter);
    if (!("reason" in found)) live.push(...found);
    else if (kinds) throw new PullError(`Cannot read ${name}: ${found.reason}`, connection);
    else unreadable.push({ ...found, name });
  }
  if (!kinds || kinds.includes("components")) {
    live.push(...await neededComponents(cluster, live, filter));
  }
  const secrets = new Map<string, string>();
  const bodies = live.map((one) => ({ ...one, body: withPlaceholders(one, isDeclared, secrets) }));
  const made = resourcesOf(migrations);
  const files = filesOf(bodies).map((file) => pulledFile(file, made));
  const own = files.filter(({ path, madeBy }) =>
    !madeBy || (madeBy.path === path && !madeBy.isSame)
  );
  const isUsed = (name: string) => own.some(({ text }) => text.includes(`"\${${name}}"`));
  return {
    files,
    leftOut: reasons(unreadable),
    placeholders: [...secrets].filter(([name]) => isUsed(name))
      .map(([name, of]) => ({ name, of, isDeclared: isDeclared(name) })),
  };
}

/** Components that pulled templates need, even if they are managed or another `--match` leaves them out. */
async function neededComponents(
  cluster: Cluster,
  live: readonly LiveBody[],
  filter: LiveFilter,
): Promise<readonly LiveBody[]> {
  const there = live.filter(({ kind }) => kind === COMPONENT_TEMPLATES).map(({ name }) => name);
  const needed = live.filter(({ kind }) => kind === INDEX_TEMPLATES)
    .flatMap(({ text }) => listOf(field(valueOf(text), "composed_of")))
    .filter((name): name is string => typeof name === "string" && !there.includes(name));
  if (needed.length === 0) return [];
  const list = { ...COMPONENT_TEMPLATES.list!, isBuiltIn: () => false };
  const matches = (name: string) => needed.includes(name);
  const found = await liveBodies(cluster, { ...COMPONENT_TEMPLATES, list }, { ...filter, matches });
  return "reason" in found ? [] : found;
}

/** Kinds by the names of `--kinds`, in the order of a run: kinds of OpenSearch and of Elasticsearch share one. */
const GROUPS: ReadonlyMap<string, readonly ListedKind[]> = Map.groupBy(
  KINDS.filter((kind): kind is ListedKind => kind.list !== undefined)
    .sort((a, b) => rankOf(a) < rankOf(b) ? -1 : rankOf(a) > rankOf(b) ? 1 : 0),
  ({ folder = "" }) => folder.replace(/^\d+-/, ""),
);

/** OpenSearch first, because proxies may refuse what it does not offer. */
function rankOf({ folder = "", list }: ListedKind): string {
  return `${folder} ${list.path.startsWith("/_plugins/") ? 0 : 1}`;
}

async function readGroup(
  cluster: Cluster,
  kinds: readonly ListedKind[],
  filter: LiveFilter,
): Promise<readonly LiveBody[] | Unreadable> {
  let unreadable: Unreadable | undefined;
  for (const kind of kinds) {
    const found = await liveBodies(cluster, kind, filter);
    if (!("reason" in found)) return found;
    if (found.isForbidden || unreadable === undefined) unreadable = found;
  }
  return unreadable!;
}

function reasons(unreadable: readonly (Unreadable & { readonly name: string })[]) {
  const missing = unreadable.filter(({ isForbidden }) => !isForbidden).map(({ name }) => name);
  return [
    ...missing.length > 0 ? [{ kinds: missing, reason: "the cluster does not have them" }] : [],
    ...unreadable.filter(({ isForbidden }) => isForbidden)
      .map(({ name, reason }) => ({ kinds: [name], reason })),
  ];
}

function resourcesOf(migrations: readonly SearchMigration[]) {
  const made = new Map<string, { readonly path: string; readonly resource: LiveResource }>();
  for (const { file: { path }, request } of migrations) {
    const resource = resourceOf(request);
    if (resource === undefined) continue;
    if (resource.effect === "gone") made.delete(resource.key);
    // Settings that other files set are not pulled into this file.
    else if (resource.kind !== CLUSTER_SETTINGS || path === SETTINGS_FILE) {
      made.set(resource.key, { path, resource });
    }
  }
  return made;
}

const SETTINGS_FILE = fileOf(CLUSTER_SETTINGS, "", '{"persistent":{}}').path;

function setByFiles(migrations: readonly SearchMigration[]): (setting: string) => boolean {
  const said = migrations.filter(({ file }) => file.path !== SETTINGS_FILE).flatMap((migration) => {
    const resource = resourceOf(migration.request);
    if (resource?.kind !== CLUSTER_SETTINGS) return [];
    return Object.keys(objectOf(field(resource.wanted, "persistent")));
  });
  return (setting) => said.includes(setting);
}

function pulledFile(
  { path, text, of: { kind, name, text: live, version } }: WrittenFile & { readonly of: LiveBody },
  made: ReturnType<typeof resourcesOf>,
): PulledFile {
  const request = { method: "PUT", path: kind.path(encodeURIComponent(name)), body: live };
  const resource = resourceOf(request)!;
  const there = made.get(resource.key);
  return {
    path,
    text,
    resource: resource.key,
    ...(there && {
      madeBy: { path: there.path, isSame: isSame(there.resource.wanted, resource.wanted) },
    }),
    ...(version && { version }),
    ...(kind.secrets && { hasHiddenFields: true }),
  };
}

/** The text of a body with placeholders for secrets, in which texts that look like declared placeholders are escaped. */
export function withPlaceholders(
  { kind, name, text }: LiveBody,
  isDeclared: (name: string) => boolean,
  found: Map<string, string>,
): string {
  const own = (subject: string, secret: string, of: string) => {
    const placeholder = placeholderName(subject, name, secret);
    found.set(placeholder, of);
    return JSON.stringify(`\${${placeholder}}`);
  };
  const members = jsonOf(escapedText(text, isDeclared)).members;
  if (kind.secrets && field(valueOf(text), "attributes", "service") !== "true") {
    const value = own("USER", "PASSWORD", `the password of user '${name}'`);
    // Clusters show empty secrets.
    const shown = members.filter((one) => !kind.secrets?.includes(one.name));
    return objectText([{ source: `"password":${value}` }, ...shown]);
  }
  if (kind !== REPOSITORIES) return objectText(members);
  const masked = (setting: JsonMember): { readonly source: string } => {
    if (!isSecret(setting.name) || setting.value.kind !== "string") return setting;
    const value = own("REPOSITORY", setting.name, `'${setting.name}' of the repository '${name}'`);
    return { source: `${JSON.stringify(setting.name)}:${value}` };
  };
  return objectText(members.map((one) => {
    if (one.name !== "settings" || one.value.kind !== "object") return one;
    const settings = one.value.members.map(masked);
    return { source: `"settings":${objectText(settings)}` };
  }));
}
