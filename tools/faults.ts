/**
 * Plants faults in the sources, and says which tests notice them; writes `docs/proofs/faults.md` from what it finds, which a file
 * in `.cache` keeps so that it goes on where it was stopped. It takes two hours. Ctrl-C ends it.
 *
 * - `--seed N`: another draw
 * - `--count 40`: faults, half of them in the core, against the tests that `--changed` chooses, and those that the nearest
 *   of these do not notice against all
 * - `--commits 10`: faults in files that so many commits touched: whether a test fails that `--changed` does not choose
 */
import { parseArgs } from "node:util";
import { folderOf } from "./_budgets.ts";
import {
  Checkout,
  Choices,
  drawnFaults,
  faultLine,
  type Touched,
  touchedFaults,
  treeOfSources,
  type Verdict,
} from "./_fault_runs.ts";
import type { Fault } from "./_faults.ts";
import { SERVER_NEEDS } from "./_groups.ts";
import { type Servers, startServers } from "./_servers.ts";
import type { TestFile } from "./_test_files.ts";
import { SAMPLE } from "./_tests.ts";
import {
  firstFailed,
  type Found,
  type Outcome,
  type Reached,
  writeFound,
} from "./_fault_report.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "56" },
    count: { type: "string", default: "40" },
    commits: { type: "string", default: "10" },
  },
});
/** How many files of tests each fault is asked about alone. */
const NEAREST = 30;
const seed = Number(values.seed);
const kept = `.cache/faults-${seed}-${await treeOfSources()}.json`;
const interruption = new AbortController();
const { signal } = interruption;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(name, () => interruption.abort(new Error(`ended by ${name}`)));
}
const found: Found = await Deno.readTextFile(kept).then(JSON.parse, () => ({
  seed,
  outcomes: {},
  reached: {},
  missed: {},
}));
const choices = await Choices.open();
await using checkout = await Checkout.open(signal);
const { core, features } = await drawnFaults(seed);
const half = Number(values.count) / 2;
const faults = [...await drawCompiled(core, half), ...await drawCompiled(features, half)];
for (const fault of faults) await tryNear(fault);
{
  const needs = new Set(SERVER_NEEDS);
  await using servers = await startServers(() => {}, signal, { needs, isAll: false }).servers;
  for (const fault of faults.filter((one) => !isNoticed(one))) await tryNearest(fault, servers);
  await tryTouched(Number(values.commits), servers);
  await tryTogether(servers);
}
await writeFound(found);

/** What the compiler refuses shows nothing about tests. */
async function drawCompiled(of: readonly Fault[], count: number): Promise<readonly Fault[]> {
  const drawn: Fault[] = [];
  for (const fault of of) {
    if (drawn.length === count) break;
    if (await compiles(fault, outcomeOf(fault))) drawn.push(fault);
  }
  return drawn;
}

async function compiles(fault: Fault, item: Outcome | Reached): Promise<boolean> {
  if (item.compiles === undefined) {
    await checkout.plant([fault]);
    await keep(item, "compiles", await checkout.compiles(fault));
  }
  return item.compiles!;
}

/** Most faults are noticed by the tests of their own folder, without a server. */
async function tryNear(fault: Fault): Promise<void> {
  const outcome = outcomeOf(fault);
  const near = [...choices.for(fault)].filter((path) =>
    folderOf(path) === folderOf(fault.file.replace(/^src/, "tests"))
  );
  if (near.length === 0 || outcome.near) return;
  await checkout.plant([fault]);
  await keep(
    outcome,
    "near",
    await checkout.test("--fail-fast", "--servers", "none", ...SAMPLE, ...near),
  );
}

/** The tests that are the fewest imports away, beside servers that stay up. The package would be packed again. */
async function tryNearest(fault: Fault, servers: Servers): Promise<void> {
  const outcome = outcomeOf(fault);
  if (outcome.nearest) return;
  const files = choices.nearestFirst(fault).filter(({ needs }) => !needs.has("package"));
  await checkout.plant([fault]);
  await keep(
    outcome,
    "nearest",
    await noticed(files.slice(0, NEAREST).map(({ path }) => path), servers),
  );
}

/** What fails has to fail again, alone: on a machine that is busy, a test may fail without a fault. */
async function noticed(files: readonly string[], servers: Servers): Promise<Verdict> {
  const verdict = await checkout.testFiles(files, servers.env);
  if (verdict.failed.length === 0) return verdict;
  const failed = new Set(verdict.failed.map(fileOf));
  const again = await checkout.testFiles([...failed], servers.env);
  if (again.failed.length > 0) return { ...again, seconds: verdict.seconds };
  console.log(`failed once only: ${verdict.failed.join(", ")}`);
  // A few files run at once: those before have ended.
  const first = Math.min(...[...failed].map((path) => Math.max(0, files.indexOf(path))));
  const left = files.slice(Math.max(0, first - 3)).filter((path) => !failed.has(path));
  return await noticed(left, servers);
}

/**
 * Plants all faults that nothing has noticed at once, runs all tests, and asks each fault about the files of tests that
 * fail, again and again until none fails: what is not noticed does not hide another fault.
 */
async function tryTogether(servers: Servers): Promise<void> {
  while (true) {
    const left = faults.filter((fault) => !isNoticed(fault) && !outcomeOf(fault).whole);
    if (left.length === 0) return;
    await checkout.plant(left);
    const together = await testAll(choices.tests, servers);
    console.log(`${left.length} faults together: ${together.failed.join(", ")}`);
    const files = new Set(together.failed.map(fileOf));
    const tests = choices.tests.filter(({ path }) => files.has(path));
    if (together.failed.length > 0 && tests.length === 0) {
      throw new Error("The run with all of them did not end well, and names no test");
    }
    let count = 0;
    for (const fault of tests.length > 0 ? left : []) {
      await checkout.plant([fault]);
      const verdict = await testAll(tests, servers);
      const [first] = verdict.failed;
      if (first === undefined) continue;
      count++;
      const isChosen = choices.for(fault).has(fileOf(first));
      await keep(outcomeOf(fault), isChosen ? "changed" : "whole", verdict);
    }
    if (count > 0) continue;
    for (const fault of left) await keep(outcomeOf(fault), "whole", { ...together, failed: [] });
  }
}

/** Runs tests beside servers that are up; those of the package by the command, as it has to be packed again. */
async function testAll(tests: readonly TestFile[], servers: Servers): Promise<Verdict> {
  const paths = (isPacked: boolean) =>
    tests.filter(({ needs }) => needs.has("package") === isPacked).map(({ path }) => path);
  const verdicts: Verdict[] = [];
  const [packed, others] = [paths(true), paths(false)];
  if (others.length > 0) verdicts.push(await checkout.testFiles(others, servers.env, []));
  if (packed.length > 0) verdicts.push(await checkout.test(...SAMPLE, ...packed));
  return {
    failed: verdicts.flatMap(({ failed }) => failed),
    seconds: verdicts.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

function isNoticed(fault: Fault): boolean {
  const { near, nearest, changed, whole } = outcomeOf(fault);
  return firstFailed(near, nearest, changed, whole) !== undefined;
}

async function tryTouched(count: number, servers: Servers): Promise<void> {
  const drawn: Touched[] = [];
  for await (const touched of touchedFaults(seed)) {
    if (drawn.length === count) break;
    const { fault, commit } = touched;
    const files = choices.nearestFirst(fault);
    // A fault that chooses all tests shows nothing.
    if (files.length === choices.tests.length) continue;
    const reached = found.reached[faultLine(fault)] ??= { commit, chosen: files.length };
    if (!await compiles(fault, reached)) continue;
    if (reached.verdict === undefined) {
      const near = files.filter(({ needs }) => !needs.has("package")).slice(0, 2 * NEAREST);
      await checkout.plant([fault]);
      await keep(reached, "verdict", await noticed(near.map(({ path }) => path), servers));
    }
    if (reached.verdict!.failed.length > 0) drawn.push(touched);
  }
  for (const { of, files } of choices.unchosen(drawn)) {
    const names = of.map(({ fault }) => faultLine(fault)).join("; ");
    if (found.missed[names]) continue;
    await checkout.plant(of.map(({ fault }) => fault));
    const { failed } = await testAll(files, servers);
    const again = failed.length > 0
      ? await checkout.test(...SAMPLE, ...new Set(failed.map(fileOf)))
      : { failed };
    await keep(found.missed, names, { files: files.length, failed: again.failed });
  }
}

function outcomeOf(fault: Fault): Outcome {
  return found.outcomes[faultLine(fault)] ??= { chosen: choices.for(fault).size };
}

function fileOf(test: string): string {
  return test.split(" => ")[0]!;
}

async function keep<T, K extends keyof T>(item: T, key: K, value: T[K]): Promise<void> {
  item[key] = value;
  console.log(JSON.stringify(item));
  await Deno.writeTextFile(kept, JSON.stringify(found, undefined, 2));
}
