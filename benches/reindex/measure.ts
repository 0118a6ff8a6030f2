import { type BareCopy, bareReindex } from "./bare.ts";
import { fill, pause, send } from "./cluster.ts";
import type { Pieces } from "./documents.ts";
import { type LeastPause, leastPause } from "./least_pause.ts";
import { createProject, type Project } from "./project.ts";
import { verify } from "./verify.ts";
import { startWrites } from "./writes.ts";
import type { Written } from "./writer.ts";

/** What one round took, in milliseconds. */
export interface Round extends BareCopy {
  /** The whole run of the command line. */
  readonly ours: number;
  /** A run of the command line that finds nothing to do. */
  readonly start: number;
  /** How long writers waited, as the run says; absent where it does not. */
  readonly pause: number | undefined;
  /** How long they did, as they saw it, one after the other. */
  readonly refusals: readonly number[];
  /** The longest that one write waited for ours, from when it was due until it was taken. */
  readonly longestWait: number;
  readonly least: LeastPause;
  /** Writes a second that were taken, beside the bare copy and beside ours. */
  readonly rates: readonly [bare: number, ours: number];
}

const WRITES_A_SECOND = 500;
/** Writes go on for so long before anything is measured. */
const AHEAD_MS = 3000;

/** Measures the bare copy and ours in turn, each on an index of its own that is filled anew. */
export async function measure(
  url: string,
  folder: string,
  documents: number,
  rounds: number,
): Promise<readonly Round[]> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    let bare: Bare | undefined;
    let ours: Ours | undefined;
    const runs = [
      async () => {
        bare = await withIndex(url, folder, documents, round, measureBare);
      },
      async () => {
        ours = await withIndex(url, folder, documents, round, measureOurs);
      },
    ];
    if (round % 2 === 1) runs.reverse();
    for (const run of runs) await run();
    const rates = [bare!, ours!].map(({ written }) => written.writes / written.milliseconds * 1000);
    results.push({ ...bare!, ...ours!, rates: [rates[0]!, rates[1]!] });
  }
  return results;
}

interface Bare extends BareCopy, Pick<Round, "least"> {
  readonly written: Written;
}

interface Ours extends Pick<Round, "ours" | "start" | "pause" | "refusals" | "longestWait"> {
  readonly written: Written;
}

interface BenchedIndex {
  readonly url: string;
  /** The alias, and what the names of indices begin with. */
  readonly name: string;
  readonly project: Project;
  readonly documents: number;
  readonly seed: number;
}

/** What the file says at first, and what it says then. */
const BEFORE: Pieces = "integer";
const AFTER: Pieces = "long";

/** Makes an index by its file, fills it, and deletes afterwards what is there. */
async function withIndex<T>(
  url: string,
  folder: string,
  documents: number,
  seed: number,
  work: (place: BenchedIndex) => Promise<T>,
): Promise<T> {
  const name = `b${crypto.randomUUID().slice(0, 8)}-orders`;
  try {
    const project = await createProject(folder, url, name);
    await project.change(BEFORE);
    await project.migrate();
    await fill(url, name, documents);
    return await work({ url, name, project, documents, seed });
  } finally {
    await clean(url, name);
  }
}

async function measureBare({ url, name, documents, seed }: BenchedIndex): Promise<Bare> {
  const writes = startWrites(url, name, documents, WRITES_A_SECOND, seed);
  let result: Omit<Bare, "written">;
  try {
    await pause(AHEAD_MS);
    const bare = await bareReindex(url, name, `${name}-bare`, AFTER);
    result = { ...bare, least: await leastPause(url, name) };
  } catch (error) {
    await writes.end().catch(() => {});
    throw error;
  }
  return { ...result, written: await writes.end() };
}

async function measureOurs({ url, name, project, documents, seed }: BenchedIndex): Promise<Ours> {
  await project.change(AFTER);
  const writes = startWrites(url, name, documents, WRITES_A_SECOND, seed);
  let run;
  try {
    await pause(AHEAD_MS);
    run = await project.migrate();
  } catch (error) {
    await writes.end().catch(() => {});
    throw error;
  }
  const written = await writes.end();
  await verify(url, name, AFTER, documents, written);
  const { milliseconds: start, outcome } = await project.migrate();
  if (outcome !== "skipped") throw new Error(`A second run was not a "skipped" one: "${outcome}"`);
  return {
    ours: run.milliseconds,
    start,
    pause: pauseOf(run.note),
    refusals: written.refusals,
    longestWait: written.longestWait,
    written,
  };
}

/** Milliseconds out of `…; writers waited 1.2 s`. */
function pauseOf(note: string): number | undefined {
  const [, number, unit] = /writers waited ([\d.]+) (ms|s)/.exec(note) ?? [];
  return number === undefined ? undefined : Number(number) * (unit === "s" ? 1000 : 1);
}

/** Deletes the indices and what is recorded of the connection. */
async function clean(url: string, name: string): Promise<void> {
  const indices = await send(`${url}/_cat/indices/${name}*?format=json&h=index`, "GET");
  for (const { index } of indices) await send(`${url}/${index}`, "DELETE");
  const recorded = [
    { delete: { _index: "framework_migrations", _id: `${name}/${name}.json` } },
    { delete: { _index: "framework_migrations_lock", _id: name } },
  ];
  const lines = recorded.map((action) => `${JSON.stringify(action)}\n`).join("");
  await send(`${url}/_bulk`, "POST", lines);
}
