import { cutSources, type Server } from "./server.ts";
import { type Scenario, type Version, versionOf } from "./scenario.ts";
import type { Found } from "./truth.ts";
import type { World } from "./world.ts";

/** How many documents one page has. */
const PAGE = 2000;
/** How many of a kind a problem names. */
const SHOWN = 3;

/** How long searches may fail that are in flight when the name of an index becomes an alias. */
const IN_FLIGHT_MS = 3000;

/** The checks of the world after its last run. */
export interface Expectations {
  /** Versions of the file that the live index may be of. */
  readonly versions: readonly Version[];
  /** Whether reads may have failed, as when the name of an index became an alias. */
  readonly mayFailReads: boolean;
  /** Whether the live index may be an index of that name. */
  readonly mayBeConcrete: boolean;
}

/** Ends the applications, and says everything that is not as it has to be. */
export async function check(world: World, expected: Expectations): Promise<readonly string[]> {
  const { name, server, writers, reader } = world;
  const problems: string[] = [];
  await takesWrites(world, problems);
  await writers.stop();
  await reader.look();
  await reader.stop();
  problems.push(
    ...writers.problems.slice(0, SHOWN).map((problem) => `a writer received: ${problem}`),
  );
  const [firstFailed, lastFailed] = [reader.failed[0]?.at ?? 0, reader.failed.at(-1)?.at ?? 0];
  if (!expected.mayFailReads || lastFailed - firstFailed > IN_FLIGHT_MS) {
    problems.push(
      ...reader.failed.slice(0, SHOWN).map(({ name, what }) => `a read of ${name} failed: ${what}`),
    );
  }
  const { json: indices } = await server.must(
    "GET",
    `/${name}*?flat_settings=true&expand_wildcards=all`,
  );
  const live = liveOf(world, indices, expected, problems);
  if (live === undefined) return problems;
  checkLive(world, live, indices[live], expected, problems);
  checkOthers(world, live, indices, problems);
  await checkKept(world, Object.keys(indices).filter((index) => index !== live), problems);
  await checkDocuments(world, live, problems);
  await checkTasks(world, problems);
  return problems;
}

// deno-lint-ignore no-explicit-any -- what the cluster says of its indices
type Indices = Record<string, any>;

/** The one index that the name stands for. */
function liveOf(
  { name, scenario, reader }: World,
  indices: Indices,
  { mayBeConcrete }: Expectations,
  problems: string[],
): string | undefined {
  if (indices[name]) {
    if (!mayBeConcrete) problems.push(`${name} is an index, and no alias`);
    return name;
  }
  const named = Object.keys(indices).filter((index) => indices[index].aliases[name]);
  if (named.length !== 1) {
    problems.push(`${name} stands for ${named.join(", ") || "nothing"}`);
    return undefined;
  }
  const [live = ""] = named;
  if (scenario.isInPlace && reader.served.size > 1) problems.push(`${name} was copied to ${live}`);
  const isNamedWell = /^-[0-9a-f]{8}-\d+$/.test(live.slice(name.length));
  if (!isNamedWell) problems.push(`${name} stands for ${live}`);
  return live;
}

function checkLive(
  { name, scenario, aliases }: World,
  live: string,
  index: Indices,
  { versions }: Expectations,
  problems: string[],
): void {
  const version = versionOf(scenario, index as Parameters<typeof versionOf>[1]);
  if (version === undefined || !versions.includes(version)) {
    problems.push(`${live} is of version ${version}, not ${versions.join(" or ")}`);
  }
  const settings = index.settings as Record<string, string>;
  for (const [key, wanted] of Object.entries(settingsOf(scenario, version ?? 1, name))) {
    const found = settings[`index.${key}`];
    if (found !== wanted) problems.push(`${live} has ${key} ${found}, not ${wanted}`);
  }
  const blocks = Object.keys(settings).filter((key) => key.startsWith("index.blocks."));
  if (blocks.length > 0) problems.push(`${live} has ${blocks.join(", ")}`);
  const { [name]: _, ...others } = index.aliases;
  const [found, wanted] = [others, aliases].map((all) =>
    Object.entries(all).map(([alias, how]) => `${alias} ${JSON.stringify(how)}`).sort().join("\n")
  );
  if (found !== wanted) problems.push(`${live} has other aliases:\n${found}\nnot:\n${wanted}`);
}

/** The settings that a live index must have, whatever stood under its name while it was made. */
function settingsOf(scenario: Scenario, version: Version, name: string) {
  const inFile = scenario.settings?.[version] ?? {};
  return {
    refresh_interval: `${version * 100 + 300}ms`,
    number_of_replicas: `${inFile.number_of_replicas ?? 0}`,
    number_of_shards: `${inFile.number_of_shards ?? 2}`,
    gc_deletes: inFile.gc_deletes as string | undefined,
    default_pipeline: undefined,
    final_pipeline: undefined,
    ...scenario.expected?.(name),
  };
}

/** Only what was live once may be left, and nothing writes into it. */
function checkOthers(
  { name, reader, scenario }: World,
  live: string,
  indices: Indices,
  problems: string[],
): void {
  for (const [index, { aliases, settings }] of Object.entries(indices)) {
    const markers = Object.keys(aliases).filter((alias) => alias.startsWith("irori-"));
    if (markers.length > 0) problems.push(`${index} has ${markers.join(", ")}`);
    if (index === live) continue;
    const isKept = index.startsWith(`${name}-before-`);
    if (!reader.served.has(index) && !isKept) {
      problems.push(`${index} was left, and was never live`);
    } else if (scenario.reindex?.oldIndices === "delete") problems.push(`${index} was left`);
    if (settings["index.blocks.write"] !== "true") problems.push(`${index} takes writes`);
    const others = Object.keys(aliases).filter((alias) => !alias.startsWith("irori-"));
    if (others.length > 0) problems.push(`${index} still has the aliases ${others.join(", ")}`);
  }
  const isConverted = scenario.from === "concrete" && live !== name;
  const isKept = Object.keys(indices).some((index) => index.startsWith(`${name}-before-`));
  const isToBeKept = isConverted && scenario.reindex?.oldIndices !== "delete";
  if (isKept !== isToBeKept) {
    problems.push(
      `the data of the index ${isKept ? "was kept" : "was not kept"} as ${name}-before-…`,
    );
  }
}

/** A kept index must still have the documents that no writer changes. */
async function checkKept(
  { server, scenario: { documents } }: World,
  kept: readonly string[],
  problems: string[],
): Promise<void> {
  for (const index of kept) {
    const query = { term: { stable: true } };
    const { json } = await server.must("POST", `/${index}/_count`, { query });
    if (json.count !== documents) problems.push(`${index} has ${json.count} of ${documents}`);
  }
}

async function checkDocuments(
  { server, truth, scenario, name }: World,
  live: string,
  problems: string[],
): Promise<void> {
  const found = await documentsOf(server, live);
  const { normalise = (text) => text } = scenario;
  for (const [kind, all] of Object.entries(truth.compare(found, normalise))) {
    if (all.length === 0) continue;
    problems.push(`${all.length} of ${truth.size} ${kind}: ${all.slice(0, SHOWN).join("; ")}`);
  }
  const { json } = await server.must("GET", `/${name}/_count`);
  if (json.count !== found.length) problems.push(`_count is ${json.count}, not ${found.length}`);
}

/** Every document of an index, its content as the text that the cluster keeps. */
async function documentsOf(server: Server, index: string): Promise<readonly Found[]> {
  await server.must("POST", `/${index}/_refresh`);
  const documents: Found[] = [];
  let page = await server.must("POST", `/${index}/_search?scroll=1m`, {
    size: PAGE,
    version: true,
    sort: ["_doc"],
  });
  try {
    for (;;) {
      const { sources, rest } = cutSources(page.text);
      const { hits: { hits } } = JSON.parse(rest);
      if (hits.length === 0) return documents;
      for (const [at, { _id: id, _routing: routing, _version: version }] of hits.entries()) {
        const text = sources[at]!;
        documents.push({ id, version, text, ...(routing !== undefined && { routing }) });
      }
      const scroll_id = page.json._scroll_id;
      page = await server.must("POST", "/_search/scroll", { scroll: "1m", scroll_id });
    }
  } finally {
    await server.send("DELETE", "/_search/scroll", { scroll_id: page.json._scroll_id });
  }
}

/** A write through the name arrives, and is taken away again. */
async function takesWrites({ name, server, scenario }: World, problems: string[]): Promise<void> {
  const path = `/${name}/_doc/probe${scenario.style?.routing ? "?routing=a" : ""}`;
  const join = scenario.properties?.relation ? { relation: "question" } : {};
  for (const method of ["PUT", "DELETE"]) {
    const body = method === "PUT" ? { n: "probe", stable: false, ...join } : undefined;
    const { status, text } = await server.send(method, path, body);
    if (status >= 300) {
      return void problems.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    }
  }
}

async function checkTasks({ name, server }: World, problems: string[]): Promise<void> {
  const { json } = await server.must("GET", "/_tasks?actions=*reindex&detailed&group_by=none");
  for (const { description } of json.tasks as { description: string }[]) {
    if (description.includes(name)) problems.push(`a task goes on: ${description}`);
  }
}
