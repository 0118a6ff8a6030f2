import type { DocumentVersion } from "../../runner/mod.ts";
import type { Answer } from "../cluster/answer.ts";
import { decodeLeniently } from "../../../text/mod.ts";
import { pathOf } from "../cluster/request.ts";
import { bodyOf } from "../json/json.ts";
import { field } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import { INDICES, MAPPINGS, SETTINGS } from "./indices.ts";
import {
  CLUSTER_SETTINGS,
  DATA_STREAMS,
  LIFECYCLES,
  PIPELINES,
  REPOSITORIES,
  SCRIPTS,
  SEARCH_PIPELINES,
} from "./named.ts";
import { POLICIES } from "./policies.ts";
import { SECURITY } from "./security.ts";
import { SNAPSHOT_LIFECYCLES, SNAPSHOT_POLICIES } from "./snapshot_policies.ts";
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES } from "./templates.ts";
import type { Kind } from "./types.ts";

export interface LiveResource {
  readonly kind: Kind;
  /** The same for every file about it, without encoding: `index_template logs`. */
  readonly key: string;
  readonly name: string;
  /** `whole`: the request replaces it; `part`: it changes a part; `gone`: it deletes it. */
  readonly effect: "whole" | "part" | "gone";
  readonly path: string;
  /** The body of the request, as `bodyOf` reads it. */
  readonly body: unknown;
  readonly wanted: unknown;
  read(json: unknown): readonly unknown[];
  isMissing(answer: Pick<Answer, "status" | "json">): boolean;
}

const known = new WeakMap<SearchRequest, LiveResource | undefined>();

export function resourceOf(request: SearchRequest): LiveResource | undefined {
  if (!known.has(request)) known.set(request, find(request));
  return known.get(request);
}

function find(request: SearchRequest): LiveResource | undefined {
  const { method } = request;
  const path = pathOf(request);
  for (const kind of KINDS) {
    const encoded = kind.pattern.exec(path)?.[1];
    if (encoded === undefined) continue;
    const isDeletion = method === "DELETE";
    const name = decodeLeniently(encoded);
    const key = kind.isSingle ? kind.noun : `${kind.noun} ${name}`;
    const found = { kind, key, name, ...readingOf(kind, encoded, name, isDeletion) };
    if (isDeletion) return { ...found, effect: "gone", body: undefined, wanted: undefined };
    if (!kind.methods.includes(method)) return undefined;
    let body: unknown;
    return {
      ...found,
      effect: kind.effect,
      // Parsed on demand, because many commands only need the kind.
      get body() {
        return body ??= bodyOf(request);
      },
      get wanted() {
        return kind.wanted(this.body);
      },
    };
  }
}

/** A deletion applies to a pattern, but accepts a comma literally (tried, 2.19 and 3.4). */
function readingOf(
  { path, read, list, readsPatterns = false }: Kind,
  encoded: string,
  name: string,
  isDeletion: boolean,
): Pick<LiveResource, "path" | "read" | "isMissing"> {
  const isPattern = isDeletion ? name.includes(",") : /[,*]/.test(name);
  if (!readsPatterns || list === undefined || !isPattern) {
    return { path: path(encoded), read, isMissing: ({ status }) => status === 404 };
  }
  const one = (json: unknown) => field(json, name);
  return {
    path: list.path,
    read: (json) => one(json) === undefined ? [] : read({ [name]: one(json) }),
    isMissing: ({ status, json }) => status === 404 || (status === 200 && one(json) === undefined),
  };
}

/** The key as messages name it: `index template logs`. The name may have underscores of its own. */
export function wordsFor({ kind: { noun }, key }: Pick<LiveResource, "kind" | "key">): string {
  return noun.replace("_", " ") + key.slice(noun.length);
}

export function documentVersionOf(json: unknown): DocumentVersion | undefined {
  const [seqNo, primaryTerm] = [field(json, "_seq_no"), field(json, "_primary_term")];
  return typeof seqNo === "number" && typeof primaryTerm === "number"
    ? { seqNo, primaryTerm }
    : undefined;
}

/** Policy files and envelopes that put only a policy are upserts. */
export function isUpsert({ method, path, body }: SearchRequest, { kind }: LiveResource): boolean {
  // A request with a query, such as its own condition, is sent unchanged.
  return kind.write === "versioned" && method === "PUT" && body !== undefined &&
    !path.includes("?");
}

export function methodOf({ create = "PUT" }: Kind, version: DocumentVersion | undefined): string {
  return version === undefined ? create : "PUT";
}

export function condition(version: DocumentVersion | undefined): string {
  if (version === undefined) return "";
  return `?if_seq_no=${version.seqNo}&if_primary_term=${version.primaryTerm}`;
}

export const KINDS: readonly Kind[] = [
  INDEX_TEMPLATES,
  COMPONENT_TEMPLATES,
  POLICIES,
  LIFECYCLES,
  PIPELINES,
  SEARCH_PIPELINES,
  SCRIPTS,
  DATA_STREAMS,
  CLUSTER_SETTINGS,
  REPOSITORIES,
  SNAPSHOT_POLICIES,
  SNAPSHOT_LIFECYCLES,
  ...SECURITY,
  MAPPINGS,
  SETTINGS,
  INDICES,
];
