import type { Command } from "../../tests/runtimes/executables.ts";
import { type Serving, serving } from "../../tests/runtimes/serving.ts";
import { median } from "../web/report.ts";
import { checkAnswers } from "./answers.ts";
import { type Load, LOADS, press } from "./load.ts";
import { cpuSecondsOf, memoryOf } from "./process.ts";

/** A compiled server, and how to run it. */
export interface Entrant {
  readonly name: string;
  readonly command: Command;
  readonly cwd: string;
  readonly lines: number;
}

/** What was found out about one server. */
export interface Result {
  readonly name: string;
  /** One for each load, in their order. */
  readonly rates: readonly Rate[];
  /** From the start of its process to its first response, in milliseconds. */
  readonly start: number;
  /** Resident bytes before the load, and the most under it. */
  readonly memory: { readonly rest: number; readonly load: number };
  readonly lines: number;
}

/** What one route of a server withstood. */
export interface Rate {
  /** Requests per second. */
  readonly perSecond: number;
  /** Of the first entrant's, as medians of the rounds' own ratios: what disturbs a round disturbs all of it. */
  readonly ratio: number;
  /** Processor time of the server for each request, in microseconds: of the best round, as disturbance only adds. */
  readonly cpu: number;
}

/** How long everything takes. */
export interface Effort {
  readonly rounds: number;
  /** Of each load in each round. */
  readonly seconds: number;
}

/** Measures servers in turns, the first of which is what the others are compared with. */
export async function measure(
  entrants: readonly Entrant[],
  { rounds, seconds }: Effort,
): Promise<readonly Result[]> {
  const starts = await startTimes(entrants, rounds);
  await using stack = new AsyncDisposableStack();
  const servers: Serving[] = [];
  for (const { command, cwd } of entrants) {
    servers.push(stack.use(await serving(command, cwd, 1)));
  }
  for (const { urls: [url = ""] } of servers) await checkAnswers(url);
  const rest = await Promise.all(servers.map(({ pid }) => memoryOf(pid)));
  const rates: (readonly Rate[])[] = [];
  for (const load of LOADS) rates.push(await compare(servers, load, rounds, seconds));
  const loaded = await Promise.all(servers.map(({ pid }) => memoryOf(pid)));
  return entrants.map(({ name, lines }, index) => ({
    name,
    lines,
    rates: rates.map((ofLoad) => ofLoad[index] ?? NOTHING),
    start: starts[index] ?? NaN,
    memory: { rest: rest[index]?.resident ?? NaN, load: loaded[index]?.peak ?? NaN },
  }));
}

const NOTHING: Rate = { perSecond: NaN, ratio: NaN, cpu: NaN };

async function compare(
  servers: readonly Serving[],
  load: Load,
  rounds: number,
  seconds: number,
): Promise<readonly Rate[]> {
  const found: Round[][] = servers.map(() => []);
  // The first round is for the compilers of the runtimes.
  for (let round = 0; round <= rounds; round++) {
    const order = [...servers.entries()];
    for (const [index, server] of round % 2 === 0 ? order : order.toReversed()) {
      const result = await once(server, load, seconds);
      if (round > 0) found[index]?.push(result);
    }
  }
  return found.map((results) => ({
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    ratio: median(results.map(({ perSecond }, i) => perSecond / (found[0]?.[i]?.perSecond ?? NaN))),
    cpu: Math.min(...results.map(({ cpu }) => cpu)),
  }));
}

type Round = Omit<Rate, "ratio">;

async function once(
  { pid, urls: [url = ""] }: Serving,
  load: Load,
  seconds: number,
): Promise<Round> {
  const before = await cpuSecondsOf(pid);
  const { requests, perSecond } = await press(url, load, seconds);
  return { perSecond, cpu: (await cpuSecondsOf(pid) - before) * 1e6 / requests };
}

/** Medians, in milliseconds. */
async function startTimes(
  entrants: readonly Entrant[],
  rounds: number,
): Promise<readonly number[]> {
  const times: number[][] = entrants.map(() => []);
  // The first round fills caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { command, cwd }] of entrants.entries()) {
      const start = performance.now();
      await using server = await serving(command, cwd, 1);
      const response = await fetch(`${server.urls[0]}${LOADS[0]?.path}`);
      await response.text();
      if (round > 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}
