/**
 * Plants faults in the sources, and says which tests fail; writes `docs/proofs/faults.md` from what it finds, which
 * `.cache/faults-SEED.json` keeps so that it goes on where it was stopped.
 *
 * - `--seed N`: another draw
 * - `--count 40`: faults, half of them in the core, against the tests that `--changed` chooses; what these do not notice
 *   runs against the same tests in full, and against `deno task test`
 * - `--whole 5`: how many of them run against `deno task test`, too
 * - `--commits 10`: faults in files that so many commits touched: whether a test fails that `--changed` does not choose
 */
import { parseArgs } from "node:util";
import {
  Checkout,
  Choices,
  drawnFaults,
  nameOf,
  placeOf,
  touchedFaults,
  type Verdict,
} from "./_fault_runs.ts";
import type { Fault } from "./_faults.ts";
import { type Found, type Outcome, type Reached, writeFound } from "./_fault_report.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "56" },
    count: { type: "string", default: "40" },
    whole: { type: "string", default: "5" },
    commits: { type: "string", default: "10" },
  },
});
const SAMPLE = "--preload=tools/_sample.ts";
const seed = Number(values.seed);
const kept = `.cache/faults-${seed}.json`;
const found: Found = await Deno.readTextFile(kept).then(JSON.parse, () => ({
  seed,
  outcomes: [],
  reached: [],
}));
const choices = await Choices.open();
await using checkout = await Checkout.open();
const { core, features } = await drawnFaults(seed);
for (const  of of[core, features]) await tryFaults(of, Number(values.count) / 2);
await tryTouched(Number(values.commits));
await writeFound(found);

async function tryFaults(faults: readonly Fault[], count: number): Promise<void> {
  let left = count;
  for (const fault of faults) {
    if (left-- === 0) return;
    const name = nameOf(fault);
    if (found.outcomes.some((one) => one.fault === name)) continue;
    await checkout.plant([fault]);
    if (!await checkout.compiles(fault)) left++;
    else {
      const isWhole = found.outcomes.filter(({ whole }) => whole).length < Number(values.whole);
      await keep("outcomes", {
        fault: name,
        place: placeOf(fault),
        ...await tried(fault, isWhole),
      });
    }
  }
}

async function tried(fault: Fault, isWhole: boolean): Promise<Omit<Outcome, "fault" | "place">> {
  const chosen = choices.for(fault);
  const near = [...chosen].filter((path) => path.startsWith(testsOf(fault)));
  // Most faults are noticed by a part of what `--changed` runs.
  const parts = [
    ...(near.length > 0 ? [[SAMPLE, "--servers", "none", ...near]] : []),
    ["--changed", "HEAD", "--servers", "none"],
    ["--changed", "HEAD"],
  ];
  let changed: Verdict = { failed: [], seconds: 0 };
  for (const args of parts) {
    const { failed, seconds } = await checkout.test("--fail-fast", ...args);
    changed = { failed, seconds: changed.seconds + seconds };
    if (failed.length > 0) break;
  }
  const isNoticed = changed.failed.length > 0;
  return {
    chosen: chosen.size,
    changed,
    ...(!isNoticed && { full: await checkout.test("--all", "--fail-fast", "--changed", "HEAD") }),
    ...((!isNoticed || isWhole) && { whole: await checkout.test("--fail-fast") }),
  };
}

/** The folder of tests that is named as the folder of the fault. */
function testsOf({ file }: Fault): string {
  const [, folder, within] = file.split("/");
  const isDeep = folder === "features" || folder === "migrations";
  return isDeep ? `tests/${folder}/${within}/` : `tests/${folder}/`;
}

async function tryTouched(count: number): Promise<void> {
  const drawn: { commit: string; fault: Fault }[] = [];
  for await (const touched of touchedFaults(seed)) {
    if (drawn.length === count) break;
    // A fault that chooses all tests shows nothing.
    if (choices.for(touched.fault).size === choices.tests.length) continue;
    const name = nameOf(touched.fault);
    let known = found.reached.find(({ fault }) => fault === name);
    if (known === undefined) {
      await checkout.plant([touched.fault]);
      const { failed, seconds } = await checkout.test("--changed", "HEAD");
      const chosen = choices.for(touched.fault).size;
      known = { fault: name, commit: touched.commit, chosen, failed: failed.length, seconds };
      await keep("reached", known);
    }
    if (known.failed > 0) drawn.push(touched);
  }
  found.missed = [];
  for (const { of, files } of choices.unchosen(drawn)) {
    await checkout.plant(of.map(({ fault }) => fault));
    const { failed } = await checkout.test(SAMPLE, ...files);
    const faults = of.map(({ fault }) => nameOf(fault)).join("; ");
    found.missed.push(...failed.map((test) => `${test} (${faults})`));
    console.log(`${files.length} files that ${of.length} faults do not choose: ${failed.join()}`);
  }
  found.unchosen = { files: choices.unchosen(drawn).flatMap(({ files }) => files).length };
  await Deno.writeTextFile(kept, JSON.stringify(found, undefined, 2));
}

async function keep<K extends "outcomes" | "reached">(
  list: K,
  item: K extends "outcomes" ? Outcome : Reached,
): Promise<void> {
  (found[list] as unknown[]).push(item);
  console.log(JSON.stringify(item));
  await Deno.writeTextFile(kept, JSON.stringify(found, undefined, 2));
}
