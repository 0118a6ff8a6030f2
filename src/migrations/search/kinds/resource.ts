import type { DocumentVersion } from "../../runner/mod.ts";
import type { Answer } from "../cluster/answer.ts";
import { field, valueOf } from "../json/json_values.ts";
import { decoded } from "../cluster/request.ts";
import type { SearchRequest } from "../types.ts";
import { KINDS } from "./all.ts";
import type { Kind } from "./types.ts";

/** Something on the cluster that a request makes, changes or deletes, and that can be read back. */
export interface LiveResource {
  readonly kind: Kind;
  /** The same for every file that works on it: `index logs`. */
  readonly key: string;
  /** `whole`: the request replaces it; `part`: it changes some of it; `gone`: it deletes it. */
  readonly effect: "whole" | "part" | "gone";
  /** Path of a GET that reads it. */
  readonly path: string;
  /** What the request says of it, in one form. */
  readonly wanted: unknown;
  /** What the answer of that GET says of it: one value, or one for each index behind an alias. */
  read(json: unknown): readonly unknown[];
  /** Whether the answer of that GET says that there is none. */
  isMissing(answer: Pick<Answer, "status" | "json">): boolean;
}

const known = new WeakMap<SearchRequest, LiveResource | undefined>();

/** What a request makes on the cluster; `undefined` where its effect cannot be read back. */
export function resourceOf(request: SearchRequest): LiveResource | undefined {
  if (!known.has(request)) known.set(request, find(request));
  return known.get(request);
}

function find({ method, path: target, body }: SearchRequest): LiveResource | undefined {
  // Clusters take slashes at the end.
  const path = (target.split("?")[0] ?? "").replace(/\/+$/, "");
  for (const kind of KINDS) {
    const name = kind.pattern.exec(path)?.[1];
    if (name === undefined) continue;
    const key = kind.isSingle ? kind.noun : `${kind.noun} ${name}`;
    const isDeletion = method === "DELETE";
    const found = { kind, key, ...readingOf(kind, name, isDeletion) };
    if (isDeletion) return { ...found, effect: "gone", wanted: undefined };
    if (!kind.methods.includes(method)) return undefined;
    return {
      ...found,
      effect: kind.effect,
      // Read when it is asked for: most files are only told apart.
      get wanted() {
        return kind.wanted(valueOf(body));
      },
    };
  }
}

/** How one is read. A deletion means what its pattern fits, but takes a comma as it stands (tried, 2.19 and 3.4). */
function readingOf(
  { path, read, list, readsPatterns = false }: Kind,
  encoded: string,
  isDeletion: boolean,
): Pick<LiveResource, "path" | "read" | "isMissing"> {
  const name = decoded(encoded);
  const isPattern = isDeletion ? name.includes(",") : /[,*]/.test(name);
  if (!readsPatterns || list === undefined || !isPattern) {
    return { path: path(encoded), read, isMissing: ({ status }) => status === 404 };
  }
  const one = (json: unknown) => field(json, name);
  return {
    path: list.path,
    read: (json) => one(json) === undefined ? [] : read({ [name]: one(json) }),
    isMissing: ({ status, json }) => {
      return status === 404 || (status === 200 && one(json) === undefined);
    },
  };
}

/** Whether a request is a policy file, or an envelope that puts nothing but a policy: both are upserts. */
export function isUpsert({ method, path, body }: SearchRequest, { kind }: LiveResource): boolean {
  // A request with a query, such as its own condition, is sent unchanged.
  return kind.write === "versioned" && method === "PUT" && body !== undefined &&
    !path.includes("?");
}

/** The method that writes a policy, given the version that it replaces. */
export function methodOf({ create = "PUT" }: Kind, version: DocumentVersion | undefined): string {
  return version === undefined ? create : "PUT";
}

/** The condition of a write as query, empty for none. */
export function condition(version: DocumentVersion | undefined): string {
  if (version === undefined) return "";
  return `?if_seq_no=${version.seqNo}&if_primary_term=${version.primaryTerm}`;
}
