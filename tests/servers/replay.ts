import { assertEquals } from "@std/assert";
import type { Exchange } from "./recordings.ts";

export interface ReplayOptions {
  /**
   * Actions before an exchange that were not recorded: requests (`PUT /a {"aliases":{}}`) or a function. The name is
   * the exchange's, with `#2` for its second time.
   */
  readonly before?: Readonly<Record<string, readonly string[] | (() => void)>>;
  /** Exchanges that are left out, by the same names. */
  readonly without?: RegExp;
  /** Members of answers that say nothing. */
  readonly ignored?: readonly string[];
  /** The path that is asked in place of the recorded one. */
  readonly rewrite?: (path: string) => string | Promise<string>;
}

/** Asks what was asked of a real server. @returns how many answers were the same */
export async function replay(
  url: string,
  exchanges: readonly Exchange[],
  { before = {}, without, ignored = [], rewrite = (path) => path }: ReplayOptions = {},
): Promise<number> {
  const times = new Map<string, number>();
  const tasks = new Map<string, string>();
  const setups = new Set(Object.keys(before));
  let compared = 0;
  for (const { method, path, body, status, answer } of exchanges) {
    const line = `${method} ${path}`;
    times.set(line, (times.get(line) ?? 0) + 1);
    const name = times.get(line) === 1 ? line : `${line}#${times.get(line)}`;
    if (setups.delete(name)) await prepare(url, before[name]!);
    if (without?.test(name)) continue;
    const asked = [...tasks].reduce((all, [was, is]) => all.replace(was, is), await rewrite(path));
    const response = await fetch(url + asked, { method, body });
    const text = await response.text();
    const about = `${name} ${body ?? ""}`;
    assertEquals([response.status, about], [status, about], text);
    compared++;
    if (answer === undefined) continue;
    const [was, is] = [taskOf(answer), taskOf(text)];
    if (was && is) tasks.set(was, is);
    assertEquals(comparable(text, ignored), comparable(answer, ignored), about);
  }
  assertEquals([...setups], [], "setups of exchanges that do not exist");
  return compared;
}

async function prepare(url: string, setup: readonly string[] | (() => void)): Promise<void> {
  if (typeof setup === "function") return setup();
  for (const request of setup) {
    const [, method, path, body] = /^(\w+) (\S+)(?: (.*))?$/.exec(request)!;
    const response = await fetch(url + path!, { method, body });
    assertEquals(response.ok, true, `${request}: ${await response.text()}`);
  }
}

function taskOf(answer: string): string | undefined {
  return /^\{"task":"([^"]+)"\}$/.exec(answer)?.[1];
}

/** An answer without what differs from server to server and from run to run. */
export function comparable(text: string, ignored: readonly string[] = []): unknown {
  if (!text.startsWith("{")) return text;
  const told = text
    .replaceAll(/\[([\w.-]+)\/[\w-]{22}\]/g, "[$1/uuid]")
    .replaceAll(/(?<![\w-])(?:[\w-]{22}|node):\d+\b/g, "node:0")
    .replaceAll(/Failed node \[[\w-]+\]/g, "Failed node [node]")
    .replaceAll(/with id '[\w-]{20}'/g, "with id 'automatic'")
    // Sets, whose order is by chance.
    .replaceAll(
      /(allowed: |write index |aliases |templates |associated with it )\[([\w, *-]+)\]/g,
      (_, what, list: string) => {
        return `${what}[${list.split(/, ?/).sort()}]`;
      },
    );
  return JSON.parse(told, (key, value) => {
    if (ignored.includes(key)) return 0;
    if (MASKED.includes(key) && typeof value !== "object" && value !== "_na_") return 0;
    // A time that was sent is older.
    if (/^(?:last_updated|enabled)_time$/.test(key) && value > 1_600_000_000_000) return 0;
    if (key === "version" && typeof value?.created === "string") return 0;
    if (key === "id" && typeof value === "number") return 0;
    if (key === "_id" && typeof value === "string" && value.length === 20) return "automatic";
    if (key === "failed_indices") return sorted(value);
    if (key === "resource.id" && Array.isArray(value)) return sorted(value);
    return value;
  });
}

/** Times, and names that a server chooses. */
const MASKED = [
  "cluster_uuid",
  "creation_date",
  "index.creation_date",
  "index.uuid",
  "index.version.created",
  "index_creation_date",
  "index_uuid",
  "ingest_took",
  "node",
  "node_id",
  "running_time_in_nanos",
  "start_time",
  "start_time_in_millis",
  "took",
  "uuid",
];

function sorted(list: readonly unknown[]): unknown[] {
  return [...list].sort((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}
