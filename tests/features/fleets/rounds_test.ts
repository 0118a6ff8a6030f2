import { assertEquals } from "@std/assert";
import { depth } from "../../long/mod.ts";
import { brokenAnswer } from "../../servers/cluster_double.ts";
import { clusters, outcomesOf, project, template } from "./fleets_support.ts";
import { endLease } from "../../migrations/search/kill.ts";

const NAMES = ["a", "b", "c", "d"];
const PATHS = ["1-template.json", "2-template.json", "3-template.json"];
const FAULTS = ["none", "none", "down", "refuses", "crashes", "busy"] as const;

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Fault {
  kind: typeof FAULTS[number];
  /** The request, or the file, from which on it shows. */
  from: number;
}

/** @param told takes all outcomes */
async function round(seed: number, told: Set<string>): Promise<void> {
  const next = random(seed);
  const below = (number: number) => Math.floor(next() * number);
  const faults = new Map<string, Fault>();
  const seen = new Map<string, number>();
  /** How often each file was applied and answered, and the runs of each cluster that crashed. */
  const applied = new Map<string, number>();
  const crashes = new Map<string, number>();
  await using doubles = clusters(NAMES, (name) => ({
    intercept(line) {
      const { kind, from } = faults.get(name) ?? { kind: "none", from: 0 };
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      if (kind === "down" || (kind === "crashes" && number > from)) return brokenAnswer();
      if (kind === "busy" && number === from) return new Response("{}", { status: 429 });
      const [, file] = /^PUT \/_index_template\/(\d)/.exec(line) ?? [];
      if (file === undefined) return undefined;
      if (kind === "refuses" && Number(file) > from % 3) {
        return Response.json({ error: { type: "illegal", reason: "no" } }, { status: 400 });
      }
      const key = `${name}/${file}`;
      applied.set(key, (applied.get(key) ?? 0) + 1);
      return undefined;
    },
  }));
  const own = Object.fromEntries(NAMES.map((name, index) => [name, {
    hosts: doubles[name]!.url,
    timeout: 1,
    placeholders: { replicas: index },
    ...index < 2 && { group: "canary" },
  }]));
  const files = Object.fromEntries(PATHS.map((path) => [
    `logs/${path}`,
    template(path.slice(0, 1), { number_of_replicas: "${replicas}" }),
  ]));
  await using fleet = await project({
    each: { clusters: own, groups: ["canary"], parallel: 1 + below(4) },
  }, { ...files, "logs.c/4-template.json": template("4", { number_of_replicas: "${replicas}" }) });

  for (let run = 0; run < 3; run++) {
    seen.clear();
    for (const name of NAMES) {
      faults.set(name, { kind: FAULTS[below(FAULTS.length)]!, from: 1 + below(12) });
    }
    const stop = new AbortController();
    const stopAt = below(3) === 0 ? 1 + below(NAMES.length) : Infinity;
    let parts = 0;
    const reports = await fleet.migrate({
      signal: stop.signal,
      lockTimeoutMs: 50,
      onEvent: (event) => event.type === "part" && ++parts === stopAt && stop.abort(),
    });
    const outcomes = outcomesOf(reports);
    assertEquals(outcomes.map((text) => text[0]), NAMES, `every cluster is reported: ${outcomes}`);
    for (const { outcome = "" } of reports) told.add(outcome);
    const canary = reports.slice(0, 2);
    if (canary.some(({ error }) => error)) {
      assertEquals(outcomes.slice(2), ["c not run", "d not run"]);
    }
    for (const [index, name] of NAMES.entries()) {
      const { kind } = faults.get(name)!;
      if (kind === "crashes") crashes.set(name, (crashes.get(name) ?? 0) + 1);
      if (kind === "down") {
        assertEquals(["failed", "not run"].includes(reports[index]!.outcome!), true);
      }
      endLease(doubles[name]!);
    }
  }

  faults.clear();
  const last = await fleet.migrate();
  assertEquals(last.map(({ error }) => error), NAMES.map(() => undefined), `seed ${seed}`);
  for (const name of NAMES) {
    const numbers = name === "c" ? [1, 2, 3, 4] : [1, 2, 3];
    const times = numbers.map((number) => applied.get(`${name}/${number}`) ?? 0);
    assertEquals(times.every((number) => number > 0), true, `seed ${seed}: ${name} lacks a file`);
    // A crash between a file and its record is the one reason to apply a file again.
    const again = times.reduce((sum, number) => sum + number - 1, 0);
    assertEquals(again <= (crashes.get(name) ?? 0), true, `seed ${seed}: ${name} ${times}`);
    const answer = await (await fetch(`${doubles[name]!.url}/_index_template/1`)).text();
    assertEquals(answer.includes(`"number_of_replicas":"${NAMES.indexOf(name)}"`), true, answer);
    doubles[name]!.requests.length = 0;
  }
  assertEquals(outcomesOf(await fleet.migrate()), NAMES.map((name) => `${name} unchanged`));
  assertEquals(NAMES.map((name) => doubles[name]!.requests.length), [1, 1, 1, 1]);
}

Deno.test("random faults: no file is applied twice in a cluster, and none is left out", async () => {
  const told = new Set<string>();
  for (let seed = 1; seed <= depth(10, 200); seed++) await round(seed, told);
  assertEquals([...told].sort(), ["failed", "migrated", "not run", "unchanged"]);
});
