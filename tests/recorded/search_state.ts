import { dirname, join } from "@std/path";
import { OwnCluster } from "./cluster.ts";
import { irori, NO_VARIABLES } from "../e2e/command_line.ts";

type Json = Readonly<Record<string, unknown>>;

/** How runs of an earlier version have left a cluster, the files that are there now, and what is done then. */
export interface SearchState extends Held {
  readonly name: string;
  /** By path below the folder of the connection. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Lines of YAML for the connection's `migrations`. */
  readonly settings?: readonly string[];
  /** Command lines, one after another; and requests of others: `POST /x/_doc {}`. */
  readonly steps: readonly string[];
}

/** As `search_states.jsonl` keeps them: clusters that were left with the same files, and what is done then, by title. */
export interface Scenario extends Omit<SearchState, keyof Held | "steps"> {
  readonly held: Readonly<Record<string, Held>>;
  /** Files and settings are those of the runs, unless they are changed afterwards. */
  readonly after: Readonly<
    Record<string, Pick<SearchState, "steps"> & Partial<Pick<SearchState, "files" | "settings">>>
  >;
}

/** Each cluster with each thing that is done then. */
export function statesOf({ name, held, after, ...common }: Scenario): readonly SearchState[] {
  return Object.entries(held).flatMap(([left, content]) =>
    Object.entries(after).map(([then, own]) => {
      return { ...common, ...content, ...own, name: `${name}, ${left}: ${then}` };
    })
  );
}

/** The content of a cluster. */
export interface Held {
  /** Templates by name. */
  readonly templates?: Readonly<Record<string, unknown>>;
  readonly indices: Readonly<Record<string, HeldIndex>>;
}

export interface HeldIndex {
  /** Absent where an index of the records is as always, as are its mappings. */
  readonly settings?: Json;
  readonly mappings?: Json;
  readonly aliases?: Json;
  /** In the order of their sequence numbers: id, version and source. */
  readonly documents: readonly (readonly [id: string, version: number, source: Json])[];
}

/** The indices of the records as they are always. */
export type OwnIndices = Readonly<Record<string, Pick<HeldIndex, "settings" | "mappings">>>;

const CONNECTION = "shop";
const LOCK = "framework_migrations_lock";
/** The placeholder of a running task, which is started again in the restored cluster. */
const TASK = "@task@";
const COPY = { source: { index: "recorded-orders" }, dest: { index: "recorded-copies" } };

/** Settings that a cluster gives an index by itself, or that belong to how it was made. */
const GIVEN = [
  "creation_date",
  "provided_name",
  "uuid",
  "version",
  "replication",
  "resize",
  "routing",
];

export async function writeFiles(
  folder: string,
  url: string,
  { files, settings = [] }: Pick<SearchState, "files" | "settings">,
): Promise<void> {
  const lines = ["enabled: true", ...settings].map((line) => `      ${line}\n`).join("");
  const config = `search:\n  - name: ${CONNECTION}\n    hosts: ['${url}']\n    migrations:\n`;
  await Deno.remove(join(folder, "files"), { recursive: true }).catch(() => {});
  await write(join(folder, "application.yml"), config + lines);
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await write(join(folder, "files", CONNECTION, path), text);
  }
}

/** Restores a state. @returns what the present code prints, and what the cluster holds then, without what differs from run to run */
export async function playSearch(
  target: string,
  state: SearchState,
  ownIndices: OwnIndices,
): Promise<string> {
  await using cluster = new OwnCluster(target);
  const folder = await Deno.makeTempDir({ prefix: "irori-" });
  try {
    await restore(cluster, state, ownIndices);
    await writeFiles(folder, cluster.url, state);
    const lines: string[] = [];
    for (const step of state.steps) {
      const [, method, path, body] = /^([A-Z]+) (\/\S+)(?: (.*))?$/.exec(step) ?? [];
      if (method !== undefined) {
        await cluster.send(method, path!, body === undefined ? undefined : JSON.parse(body));
        lines.push(`> ${step}`);
        continue;
      }
      cluster.requests.length = 0;
      const own = ["-m", "search", "-c", folder, "--sqlPath", join(folder, "files")];
      const { code, stdout, stderr } = await irori([...step.split(" "), ...own], NO_VARIABLES);
      const sent = `${cluster.requests.filter(isCounted).length} requests`;
      lines.push(`$ irori ${step}  [exit code ${code}, ${sent}]\n${stdout}${stderr}`.trimEnd());
    }
    const text = [...lines, "= after", ...shown(await held(cluster))].join("\n");
    return `${steady(text.replaceAll(folder, "<folder>"), cluster.url)}\n`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Waiting is done as often as it takes. */
function isCounted(request: string): boolean {
  return !/ \/_(?:tasks|cluster\/health)\b/.test(request);
}

async function restore(
  cluster: OwnCluster,
  { templates = {}, indices }: Held,
  own: OwnIndices,
): Promise<void> {
  for (const [name, body] of Object.entries(templates)) {
    await cluster.send("PUT", `/_index_template/${name}`, body);
  }
  // The lock is the last, as it names the task that is started when the indices are there.
  const names = Object.keys(indices).sort((one, other) =>
    Number(one === LOCK) - Number(other === LOCK)
  );
  for (const name of names) {
    const { documents, aliases, ...rest } = indices[name]!;
    const { settings: { blocks, ...settings } = {}, mappings } = { ...own[name], ...rest };
    await cluster.send("PUT", `/${name}`, { settings, mappings, aliases });
    const isTask = JSON.stringify(documents).includes(TASK);
    const { task = TASK } = isTask
      ? await cluster.send("POST", "/_reindex?wait_for_completion=false", COPY)
      : {};
    const lines = documents.flatMap(([_id, version, source]) => {
      const text = JSON.stringify(source).replaceAll(TASK, `${task}`);
      return [{ index: { _id, version, version_type: "external" } }, JSON.parse(text)];
    });
    if (lines.length > 0) await cluster.send("POST", `/${name}/_bulk?refresh=true`, lines);
    if (blocks) await cluster.send("PUT", `/${name}/_settings`, { index: { blocks } });
  }
}

export async function held(cluster: OwnCluster): Promise<Held> {
  const all = "/recorded-*,framework_migrations*";
  await cluster.send("POST", `${all}/_refresh?expand_wildcards=all`);
  const found = await cluster.send("GET", `${all}?expand_wildcards=all`);
  const indices: Record<string, HeldIndex> = {};
  for (const name of Object.keys(found).sort()) {
    const { settings, mappings, aliases } = found[name] as Record<string, Json>;
    const search = {
      size: 1000,
      version: true,
      sort: [{ _seq_no: { order: "asc", unmapped_type: "long" } }],
    };
    const { hits: { hits } } = await cluster.send("POST", `/${name}/_search`, search) as {
      hits: { hits: { _id: string; _version: number; _source: Json }[] };
    };
    indices[name] = {
      settings: without(settings!.index as Json, GIVEN),
      ...(Object.keys(mappings!).length > 0 && { mappings }),
      ...(Object.keys(aliases!).length > 0 && { aliases }),
      documents: hits.map(({ _id, _version, _source }) => [_id, _version, _source]),
    };
  }
  const answer = await cluster.send("GET", "/_index_template/*recorded-*").catch(() => ({}));
  const { index_templates: list = [] } = answer as {
    index_templates?: readonly { name: string; index_template: unknown }[];
  };
  const templates = Object.fromEntries(list.map((one) => [one.name, one.index_template]));
  return { ...(list.length > 0 && { templates }), indices };
}

/** A line for each index, and for each record. */
function shown({ templates = {}, indices }: Held): readonly string[] {
  return [
    ...Object.entries(templates).map(([name, body]) => `template ${name} ${JSON.stringify(body)}`)
      .sort(),
    ...Object.entries(indices).flatMap(([name, { settings, mappings, aliases, documents }]) => {
      if (name.startsWith("framework_migrations")) {
        return documents.map(([id, , source]) => `${name}/${id} ${JSON.stringify(source)}`).sort();
      }
      const sources = documents.map(([id, version, source]) => {
        return `${id}@${version}${JSON.stringify(source)}`;
      });
      return [name, settings, mappings, aliases, sources.sort().join("")]
        .map((part) => typeof part === "string" ? part : JSON.stringify(part ?? {})).join(" ");
    }),
  ];
}

/** Times, durations and the runs of this machine have one form. */
function steady(text: string, url: string): string {
  return text.replaceAll(url, "<server>").replaceAll(url.replace("http://", ""), "<server>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    // How often the progress of a copy is seen depends on the machine.
    .replace(/^progress: \S+: copying(?:, \d+\/\d+)?\n/gm, "")
    .replace(/\b\d+ ms\b/g, "<n> ms")
    .replace(/\b\d+\.\d s\b/g, "<n> s")
    .replace(/\(\d+ round trips?\)/g, "(<n> round trips)")
    .replace(/("duration_ms": ?|"durationMs": ?)\d+/g, "$1<n>")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
    .replace(/(irori-(?:copy|from|into)-)[0-9a-f]{8}-[0-9a-f]{4}/g, "$1<run>")
    .replace(/[\w.-]+-\d+-[0-9a-f]{8}\b(?!-\d+\b)/g, "<run>")
    .replace(/(?<![\w-])[\w-]{22}:\d+\b/g, "<task>");
}

function without(settings: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}
