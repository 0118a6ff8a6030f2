import { applyEdits, modify } from "jsonc-parser";
import { ConnectionError, type DocumentVersion } from "../../migrations/runner/mod.ts";
import {
  type Answer,
  describeFailure,
  failureOf,
  hasNoHandler,
} from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import {
  type JsonMember,
  jsonOf,
  type JsonValue,
  member,
  objectText,
} from "../../migrations/search/json/json.ts";
import { field, isEmpty, isObject, objectOf } from "../../migrations/search/json/json_values.ts";
import { CLUSTER_SETTINGS, isOwnSetting } from "../../migrations/search/kinds/named.ts";
import { isBodyOf } from "../../migrations/search/files/conventions.ts";
import { documentVersionOf } from "../../migrations/search/kinds/resource.ts";
import type { Kind, KindList } from "../../migrations/search/kinds/types.ts";

export type ListedKind = Kind & { readonly list: KindList };

export interface LiveBody {
  readonly kind: Kind;
  readonly name: string;
  /** The body of a request that makes it: cut out of the answer, without additions of the cluster. */
  readonly text: string;
  readonly version?: DocumentVersion;
}

export interface Unreadable {
  readonly reason: string;
  readonly isForbidden: boolean;
}

export interface LiveFilter {
  readonly connection: string;
  readonly matches: (name: string) => boolean;
  readonly isSaid: (setting: string) => boolean;
}

const PAGE = 200;
const READ = { repeatSafe: true, mayBeForbidden: true };

/** All resources of a kind that users created, by name. Sends one GET for each page. @throws {ConnectionError} */
export async function liveBodies(
  cluster: Cluster,
  kind: ListedKind,
  filter: LiveFilter,
): Promise<readonly LiveBody[] | Unreadable> {
  const { list } = kind;
  const found = new Map<string, LiveBody>();
  for (let from = 0, total = 1; from < total; from += PAGE) {
    const page = list.isPaged ? `?size=${PAGE}&from=${from}` : "";
    const answer = await read(cluster, list.path + page, filter.connection);
    if ("reason" in answer) return answer;
    if (kind === CLUSTER_SETTINGS) return settingsIn(answer, filter);
    total = list.isPaged ? Number(field(answer.json, "total_policies") ?? 0) : 0;
    for (const one of bodiesIn(answer, kind)) {
      if (!filter.matches(one.name)) continue;
      const said = withoutDefaults(kind, one.text);
      found.set(one.name, { ...one, text: /^\{\s*\}$/.test(said) ? list.least ?? "{}" : said });
    }
  }
  return [...found.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

async function read(
  cluster: Cluster,
  path: string,
  connection: string,
): Promise<Answer | Unreadable> {
  const request = { method: "GET", path };
  const isIsm = path.startsWith("/_plugins/_ism/");
  const answer = await (isIsm ? cluster.sendToPlugin(request, READ) : cluster.ask(request));
  if (isNone(answer)) return { ...answer, text: "{}", json: {} };
  const failure = failureOf(request, answer);
  if (failure === undefined && isObject(answer.json)) return answer;
  const isForbidden = answer.status === 403;
  if (isForbidden || hasNoHandler(answer) || answer.status === 404) {
    const reason = cluster.redact(`${answer.host}: ${describeFailure(answer)}`);
    return { reason, isForbidden };
  }
  const reason = failure?.reason ?? "expected an object, found a list";
  const message = `${answer.host} refused GET ${path}: ${reason}`;
  throw new ConnectionError(connection, cluster.redact(message));
}

/** Whether there are none; a proxy that blocks the path answers in another form. */
function isNone({ status, json }: Answer): boolean {
  return status === 404 && isObject(json) &&
    (isEmpty(json) || json.error !== undefined || json.status !== undefined);
}

function bodiesIn({ text }: Answer, kind: ListedKind): readonly LiveBody[] {
  const { within = [], entryName, body: bodyName, wrap, isBuiltIn } = kind.list;
  let at: JsonValue | undefined = jsonOf(text);
  for (const name of within) at = at && member(at.members, name);
  if (at === undefined) return [];
  const entries: readonly (Pick<JsonMember, "value"> & { readonly name?: string })[] = entryName
    ? at.elements.map((value) => ({ value }))
    : at.members;
  return entries.flatMap(({ name: key, value }) => {
    const data = objectOf(value.data);
    const name = String(entryName?.(data) ?? key);
    const body = bodyName === undefined ? value : member(value.members, bodyName);
    if (body?.kind !== "object" || name.startsWith(".")) return [];
    if (isBuiltIn?.(objectOf(body.data), name)) return [];
    const version = documentVersionOf(data);
    return {
      kind,
      name,
      text: wrap === undefined ? body.source : `{${JSON.stringify(wrap)}:${body.source}}`,
      ...(version && kind.write === "versioned" && { version }),
    };
  });
}

function settingsIn({ text, json }: Answer, filter: LiveFilter): readonly LiveBody[] {
  if (!isObject(field(json, "persistent"))) return [];
  const persistent = member(jsonOf(text).members, "persistent")!;
  const own = persistent.members.filter(({ name }) => {
    return isOwnSetting(name) && filter.matches(name) && !filter.isSaid(name);
  });
  if (own.length === 0) return [];
  return [{ kind: CLUSTER_SETTINGS, name: "", text: `{"persistent":${objectText(own)}}` }];
}

/** A body without members that are defaults of the cluster. The rest keeps its text and order. */
export function withoutDefaults(kind: Kind, text: string): string {
  const paths = defaultPaths(kind, JSON.parse(text));
  return paths.reduce(
    (left, path) => applyEdits(left, modify(left, [...path], undefined, {})),
    text.trim(),
  );
}

type Path = readonly (string | number)[];

function defaultPaths(kind: Kind, body: unknown): readonly Path[] {
  const wanted = kind.wanted(body);
  const state = JSON.stringify(wanted);
  // Objects that are part of the compared form have no defaults.
  const verbatim = new Set<unknown>();
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null || verbatim.has(part)) return;
    verbatim.add(part);
    Object.values(part).forEach(collect);
  };
  collect(wanted);
  const paths: Path[] = [];
  let left = body;
  const drops = (path: Path): boolean => {
    const rest = omitAt(left, path);
    if (JSON.stringify(kind.wanted(rest)) !== state) return false;
    if (path.length === 1 && isBody(kind, left) && !isBody(kind, rest)) return false;
    left = rest;
    paths.push(path);
    return true;
  };
  const visit = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
    if (!isObject(value) || verbatim.has(value)) return;
    // From the last, so that the first of several alternative members stays.
    for (const [name, part] of Object.entries(value).reverse()) {
      const below = [...path, name];
      if (!drops(below)) visit(part, below);
    }
  };
  visit(body, []);
  return paths;
}

function isBody({ file }: Kind, value: unknown): boolean {
  return file === undefined || isBodyOf(file, jsonOf(JSON.stringify(value)).members);
}

function omitAt(value: unknown, path: Path): unknown {
  const left = structuredClone(value);
  const holder = path.slice(0, -1).reduce<unknown>((part, name) => Object(part)[name], left);
  delete Object(holder)[path.at(-1)!];
  return left;
}
