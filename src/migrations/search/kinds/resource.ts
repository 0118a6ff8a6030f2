import { valueOf } from "../json/json_values.ts";
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
    const found = { kind, key, path: kind.path(name), read: kind.read };
    if (method === "DELETE") return { ...found, effect: "gone", wanted: undefined };
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
