import { field, parseJson } from "./answer.ts";
import { indexState, policyState, templateState } from "./_canonical.ts";
import type { SearchMigration } from "./types.ts";

/** Something on the cluster that a file makes or changes, and that can be read back. */
export interface LiveResource {
  /** The same for every file that works on it: `index logs`. */
  readonly key: string;
  /** `whole`: the file replaces it; `part`: the file changes some of it; `gone`: the file deletes it. */
  readonly effect: "whole" | "part" | "gone";
  /** Path of a GET that reads it. */
  readonly path: string;
  /** What the file says of it, in the form of {@linkcode LiveResource.read}. */
  readonly wanted: unknown;
  /** What the answer of that GET says of it: one value, or one for each index behind an alias. */
  read(json: unknown): readonly unknown[];
}

interface Kind {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly effect: "whole" | "part";
  /** Key and path to read, of the encoded name. */
  readonly key: (name: string) => string;
  readonly path: (name: string) => string;
  readonly wanted: (body: unknown) => unknown;
  readonly read: (json: unknown) => readonly unknown[];
}

const templates = (kind: "index_template" | "component_template"): Kind => ({
  pattern: new RegExp(`^/_${kind}/([^/]+)$`),
  methods: ["PUT", "POST"],
  effect: "whole",
  key: (name) => `${kind} ${name}`,
  path: (name) => `/_${kind}/${name}`,
  wanted: templateState,
  read: (json) => list(field(json, `${kind}s`)).map((found) => templateState(field(found, kind))),
});

/** Resources whose name is a key of the answer. */
const named = (prefix: string, kind: string, state: (body: unknown) => unknown): Kind => ({
  pattern: new RegExp(`^/${prefix}/([^/]+)$`),
  methods: ["PUT"],
  effect: "whole",
  key: (name) => `${kind} ${name}`,
  path: (name) => `/${prefix}/${name}`,
  wanted: state,
  read: (json) => Object.values(json ?? {}).map(state),
});

const indices = (pattern: RegExp, wanted: (body: unknown) => unknown): Kind => ({
  pattern,
  methods: ["PUT", "POST"],
  effect: "part",
  key: (name) => `index ${name}`,
  path: (name) => `/${name}`,
  wanted: (body) => indexState(wanted(body)),
  read: (json) => Object.values(json ?? {}).map(indexState),
});

/** An index by its name alone: no list, no pattern, no date math. */
const INDEX = "((?!_)[^/,*%<>]+)";

const KINDS: readonly Kind[] = [
  templates("index_template"),
  templates("component_template"),
  {
    pattern: /^\/_(?:plugins|opendistro)\/_ism\/policies\/([^/]+)$/,
    methods: ["PUT"],
    effect: "whole",
    key: (name) => `policy ${name}`,
    path: (name) => `/_plugins/_ism/policies/${name}`,
    wanted: (body) => policyState(field(body, "policy")),
    read: (json) => [policyState(field(json, "policy"))],
  },
  named("_ilm/policy", "lifecycle policy", (body) => ({ policy: field(body, "policy") })),
  named("_ingest/pipeline", "pipeline", (body) => body),
  indices(new RegExp(`^/${INDEX}/_mappings?$`), (mappings) => ({ mappings })),
  indices(new RegExp(`^/${INDEX}/_settings$`), (body) => ({
    settings: field(body, "settings") ?? body,
  })),
  indices(new RegExp(`^/${INDEX}$`), (body) => body ?? {}),
];

const known = new WeakMap<SearchMigration, LiveResource | undefined>();

/** What a file makes on the cluster; `undefined` for requests whose effect cannot be read back. */
export function resourceOf(migration: SearchMigration): LiveResource | undefined {
  if (!known.has(migration)) known.set(migration, find(migration));
  return known.get(migration);
}

function find({ request }: SearchMigration): LiveResource | undefined {
  const [path = ""] = request.path.split("?");
  for (const { pattern, methods, effect, key, path: pathOf, wanted, read } of KINDS) {
    const name = pattern.exec(path)?.[1];
    if (name === undefined) continue;
    const found = { key: key(name), path: pathOf(name), read };
    if (request.method === "DELETE") return { ...found, effect: "gone", wanted: undefined };
    if (!methods.includes(request.method)) return undefined;
    return {
      ...found,
      effect,
      // Read when it is asked for: most files are only told apart.
      get wanted() {
        return wanted(request.body === undefined ? undefined : parseJson(request.body));
      },
    };
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
