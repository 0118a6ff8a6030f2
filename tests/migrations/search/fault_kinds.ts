import type { Tree } from "./runner.ts";

/** A request past the runner and past the proxy. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly json: unknown }>;

/** One kind of request of the fault table: a file of it, and what the cluster has of it. */
export interface FaultKindOfFile {
  readonly name: string;
  /** Whether it is compared by what the cluster is like, or counted by what was done. */
  readonly counts: boolean;
  /** Whether an edit changes anything; otherwise there is only the first application. */
  readonly isEdited: boolean;
  /** Whether the ISM plugin is needed, which no real cluster here has. */
  readonly needsIsm: boolean;
  /** The file in its first or second version. */
  tree(name: string, version: 1 | 2): Tree;
  /** Whether a request is the one that the file becomes. */
  hits(name: string, line: string): boolean;
  prepare(name: string, ask: Ask): Promise<void>;
  /** The version that is live, 0 for none; of what is counted, how often each version was done. */
  live(name: string, ask: Ask): Promise<number | readonly [first: number, second: number]>;
  cleanUp(name: string, ask: Ask): Promise<void>;
}

type Json = Record<string, unknown>;

const nothing = () => Promise.resolve();
const envelope = (method: string, path: string, body?: unknown) =>
  JSON.stringify({ method, path, ...(body !== undefined && { body }) });

const policy = (version: number) => ({
  policy: {
    description: `${version}`,
    default_state: "hot",
    states: [{ name: "hot", actions: [], transitions: [] }],
    // The second version has less: what is taken away has to go.
    ...(version === 1 && { ism_template: [{ index_patterns: [`none-${version}`], priority: 7 }] }),
  },
});

const policies = (name: string, tree: FaultKindOfFile["tree"]): FaultKindOfFile => ({
  name,
  counts: false,
  isEdited: true,
  needsIsm: true,
  tree,
  hits: (name, line) => line.startsWith(`PUT /_plugins/_ism/policies/${name}`),
  prepare: nothing,
  async live(name, ask) {
    const { json } = await ask("GET", `/_plugins/_ism/policies/${name}`);
    const { policy: found } = json as { policy?: Json };
    if (found === undefined) return 0;
    const version = Number(found.description);
    const hasTemplate = Array.isArray(found.ism_template) && found.ism_template.length > 0;
    return hasTemplate === (version === 1) ? version : 9;
  },
  cleanUp: async (name, ask) => void await ask("DELETE", `/_plugins/_ism/policies/${name}`),
});

const templates = (
  name: string,
  kind: "index_template" | "component_template",
  tree: FaultKindOfFile["tree"],
): FaultKindOfFile => ({
  name,
  counts: false,
  isEdited: true,
  needsIsm: false,
  tree,
  hits: (name, line) => line === `PUT /_${kind}/${name}`,
  prepare: nothing,
  async live(name, ask) {
    const { json } = await ask("GET", `/_${kind}/${name}`);
    const [found] = (json as Record<string, { [kind]: Json }[]>)[`${kind}s`] ?? [];
    return Number(found?.[kind]?.version ?? 0);
  },
  cleanUp: async (name, ask) => void await ask("DELETE", `/_${kind}/${name}`),
});

/** Documents by their field `v`. */
async function countOf(name: string, ask: Ask): Promise<readonly [number, number]> {
  await ask("POST", `/${name}/_refresh`);
  const { status, json } = await ask("POST", `/${name}/_search`, { size: 100 });
  if (status !== 200) return [0, 0];
  const { hits: { hits } } = json as { hits: { hits: { _source: { v: number } }[] } };
  const count = (version: number) => hits.filter(({ _source }) => _source.v === version).length;
  return [count(1), count(2)];
}

const index = (name: string, ask: Ask) =>
  ask("PUT", `/${name}`, { settings: { number_of_replicas: 0 } }).then(() => {});
const removeIndex = (name: string, ask: Ask) => ask("DELETE", `/${name}`).then(() => {});

/** Every kind of request that a file becomes. */
export const FAULT_KINDS: readonly FaultKindOfFile[] = [
  templates("template", "index_template", (name, version) => ({
    [`${name}-template.json`]: JSON.stringify({ index_patterns: [`${name}-*`], version }),
  })),
  templates("component", "component_template", (name, version) => ({
    [`${name}.json`]: envelope("PUT", `/_component_template/${name}`, { template: {}, version }),
  })),
  policies("policy file", (name, version) => ({
    [`${name}-policy.json`]: JSON.stringify(policy(version)),
  })),
  policies("policy envelope", (name, version) => ({
    [`${name}.json`]: envelope("PUT", `/_plugins/_ism/policies/${name}`, policy(version)),
  })),
  {
    name: "index",
    counts: false,
    isEdited: false,
    needsIsm: false,
    tree: (name) => ({ [`${name}.json`]: '{"settings":{"number_of_replicas":0}}' }),
    hits: (name, line) => line === `PUT /${name}`,
    prepare: nothing,
    live: async (name, ask) => (await ask("GET", `/${name}`)).status === 200 ? 1 : 0,
    cleanUp: removeIndex,
  },
  {
    name: "raw PUT",
    counts: false,
    isEdited: true,
    needsIsm: false,
    tree: (name, version) => ({
      [`${name}.json`]: envelope("PUT", `/${name}/_doc/1`, { v: version }),
    }),
    hits: (name, line) => line === `PUT /${name}/_doc/1`,
    prepare: index,
    async live(name, ask) {
      const { json } = await ask("GET", `/${name}/_doc/1`);
      return (json as { _source?: { v: number } })._source?.v ?? 0;
    },
    cleanUp: removeIndex,
  },
  {
    name: "DELETE",
    counts: false,
    isEdited: false,
    needsIsm: false,
    tree: (name) => ({ [`${name}.json`]: envelope("DELETE", `/${name}`) }),
    hits: (name, line) => line === `DELETE /${name}`,
    prepare: index,
    live: async (name, ask) => (await ask("GET", `/${name}`)).status === 404 ? 1 : 0,
    cleanUp: removeIndex,
  },
  {
    name: "POST",
    counts: true,
    isEdited: true,
    needsIsm: false,
    tree: (name, version) => ({
      [`${name}.json`]: envelope("POST", `/${name}/_doc`, { v: version }),
    }),
    hits: (name, line) => line === `POST /${name}/_doc`,
    prepare: index,
    live: countOf,
    cleanUp: removeIndex,
  },
  {
    name: "_bulk",
    counts: true,
    isEdited: true,
    needsIsm: false,
    tree: (name, version) => ({
      [`${name}.json`]: envelope("POST", `/${name}/_bulk`, [{ index: {} }, { v: version }]),
    }),
    hits: (name, line) => line === `POST /${name}/_bulk`,
    prepare: index,
    live: countOf,
    cleanUp: removeIndex,
  },
];
