import type { Command } from "../../tests/runtimes/executables.ts";
import { type Serving, serving } from "../../tests/runtimes/serving.ts";
import { median } from "../web/report.ts";
import { checkAnswers, checkRefusal, FURTHER_CHECKS, furtherChecks } from "./answers.ts";
import { type Load, LOADS } from "./load.ts";
import { memoryOf } from "./process.ts";
import { type Round, roundOf } from "./round.ts";
import type { Setting } from "./settings.ts";

/** A compiled server, and how to run it. */
export interface Entrant {
  readonly name: string;
  readonly command: Command;
  readonly cwd: string;
  readonly lines: number;
  /** Whether it has to refuse all of the further checks. */
  readonly hasSameChecks: boolean;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly setting: Pick<Setting, "answered" | "isClosed">;
}

export interface Result {
  readonly name: string;
  /** By the names of the loads. */
  readonly rates: ReadonlyMap<string, Rate>;
  /** From the start of its process to its first response, in milliseconds. */
  readonly start: number;
  /** Resident bytes before the load, and the most under it. */
  readonly memory: { readonly rest: number; readonly load: number };
  readonly lines: number;
  /** Whether it does each of `FURTHER_CHECKS`. */
  readonly checks: readonly boolean[];
}

/** The measured rates of one route. */
export interface Rate {
  /** Requests per second of each round. */
  readonly rounds: readonly number[];
  /** Processor time of the server for each request, in microseconds: the median of the rounds. */
  readonly cpu: number;
}

/** Throughput beside that of another: the median of the rounds' own ratios, as what disturbs a round disturbs both. */
export function throughputRatio(of: Rate, to: Rate): number {
  return median(of.rounds.map((perSecond, round) => perSecond / (to.rounds[round] ?? NaN)));
}

/** How long everything takes. */
export interface Effort {
  readonly rounds: number;
  /** The time of each load in each round. */
  readonly seconds: number;
}

/**
 * Measures servers in turns, after they were warmed, and asked whether they answer as they have to.
 *
 * @throws {Error} where one does not
 */
export async function measure(
  entrants: readonly Entrant[],
  loads: readonly Load[],
  { rounds, seconds }: Effort,
): Promise<readonly Result[]> {
  const starts = await startTimes(entrants, rounds);
  await using stack = new AsyncDisposableStack();
  const servers: Serving[] = [];
  for (const { command, cwd } of entrants) {
    servers.push(stack.use(await serving(command, cwd, 1)));
  }
  const rest = await Promise.all(servers.map(({ pid }) => memoryOf(pid)));
  // Code that was compiled for the first route alone would be compiled again for the others. Before the checks, as a
  // few odd requests to a new process decide for all of its life whether `process.nextTick()` of Node is fast (ADR
  // 190).
  for (const [index, { pid, urls: [url = ""] }] of servers.entries()) {
    for (const load of loads) await roundOf(pid, url, load, 1, entrants[index]!.headers);
  }
  const checks: (readonly boolean[])[] = [];
  for (const [index, entrant] of entrants.entries()) {
    checks.push(await check(entrant, servers[index]!));
  }
  const rates = entrants.map(() => new Map<string, Rate>());
  const headers = entrants.map(({ headers }) => headers);
  for (const load of loads) {
    const found = await compare(servers, load, { rounds, seconds }, headers);
    for (const [index, rate] of found.entries()) rates[index]!.set(load.name, rate);
  }
  const loaded = await Promise.all(servers.map(({ pid }) => memoryOf(pid)));
  return entrants.map(({ name, lines }, index) => ({
    name,
    lines,
    rates: rates[index]!,
    checks: checks[index]!,
    start: starts[index]!,
    memory: { rest: rest[index]!.resident, load: loaded[index]!.peak },
  }));
}

async function check(
  { name, hasSameChecks, headers, setting: { answered, isClosed } }: Entrant,
  { urls: [url = ""] }: Serving,
): Promise<readonly boolean[]> {
  try {
    await checkAnswers(url, headers, answered);
    if (isClosed) await checkRefusal(url, LOADS[0]!.path, headers, answered);
  } catch (cause) {
    throw new Error(`${name} does not answer as all have to`, { cause });
  }
  const checks = await furtherChecks(url, headers);
  const missing = FURTHER_CHECKS.filter((_, index) => !checks[index]);
  if (hasSameChecks && missing.length > 0) {
    throw new Error(`${name} takes what is ${missing.join(", ")}: expected it to refuse that`);
  }
  return checks;
}

async function compare(
  servers: readonly Serving[],
  load: Load,
  { rounds, seconds }: Effort,
  headers: readonly Entrant["headers"][],
): Promise<readonly Rate[]> {
  const found: Round[][] = servers.map(() => []);
  // The first round is for the compilers of the runtimes.
  for (let round = 0; round <= rounds; round++) {
    const order = [...servers.entries()];
    for (const [index, { pid, urls: [url = ""] }] of round % 2 ? order.toReversed() : order) {
      const result = await roundOf(pid, url, load, seconds, headers[index]);
      if (round > 0) found[index]?.push(result);
    }
  }
  return found.map((results) => ({
    rounds: results.map(({ perSecond }) => perSecond),
    cpu: median(results.map(({ cpu }) => cpu)),
  }));
}

/** Medians, in milliseconds. */
async function startTimes(
  entrants: readonly Entrant[],
  rounds: number,
): Promise<readonly number[]> {
  const times: number[][] = entrants.map(() => []);
  // The first round fills caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { command, cwd, headers = {} }] of entrants.entries()) {
      const start = performance.now();
      await using server = await serving(command, cwd, 1);
      const response = await fetch(`${server.urls[0]}${LOADS[0]?.path}`, { headers });
      await response.text();
      if (round > 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}
