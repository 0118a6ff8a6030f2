import { MEASURED } from "./_groups.ts";
import { casesOf, type TestCase } from "./_report.ts";
import { isOf } from "./_tally.ts";

/** Seconds of processor time that the tests of each folder may take in `deno task test`. */
const BUDGETS = "tests/budgets.json";
/** The limit of the sum of all budgets. */
export const LIMIT = 1150;
/** A run on another machine, or beside other work, takes longer. */
const TOLERANCE = 1.5;

export type Seconds = Readonly<Record<string, number>>;

/** The folder whose budget has a file: `tests/web`, `tests/features/paging`, `tests/migrations/sql`, `examples`. */
export function folderOf(path: string): string {
  const [, own] = /^(tests\/(?:features|migrations)\/[^/]+|tests\/[^/]+|examples)\//.exec(path) ??
    [];
  return own ?? "tests";
}

/**
 * Splits the processor time of a run among folders. One process runs many files at once, so that a folder gets the share
 * that its tests have of the measured time of all tests of the step, or of all tests that name the server.
 *
 * @param steps reports by the names of their steps
 * @param seconds processor time by step and server
 */
export function splitSeconds(
  steps: Readonly<Record<string, string>>,
  seconds: Seconds,
): Seconds {
  const folders: Record<string, number> = {};
  const share = (tests: readonly TestCase[], time: number) => {
    const all = tests.reduce((sum, test) => sum + test.seconds, 0);
    for (const test of all > 0 ? tests : []) {
      const folder = folderOf(test.path);
      folders[folder] = (folders[folder] ?? 0) + time * test.seconds / all;
    }
  };
  const tests = Object.entries(steps).flatMap(([step, report]) => {
    const own = casesOf(report);
    share(own, seconds[step] ?? 0);
    return own;
  });
  for (const [server, groups] of MEASURED) {
    const users = tests.filter(({ title }) => groups.some(({ name }) => isOf(name, title)));
    share(users, seconds[server] ?? 0);
  }
  return folders;
}

/** A report that says what each folder took. @param command whose tests they are, as budgets are of `test` alone */
export function withFolders(report: string, folders: Seconds, command: string): string {
  const properties = Object.entries(folders).map(([folder, time]) =>
    `<property name="${command}: ${folder}" value="${time.toFixed(2)}"/>`
  );
  return report.replace(
    /<testsuites[^>]*>/,
    (head) => `${head}<properties>${properties.join("")}</properties>`,
  );
}

/** The seconds of each folder in reports of `deno task test`, all shards together. */
export function foldersIn(report: string): Seconds {
  const folders: Record<string, number> = {};
  for (
    const [, name = "", time] of report.matchAll(/<property name="test: (.*?)" value="(.*?)"\/>/g)
  ) {
    folders[name] = (folders[name] ?? 0) + Number(time);
  }
  return folders;
}

export async function readBudgets(): Promise<Seconds> {
  return JSON.parse(await Deno.readTextFile(BUDGETS));
}

/** Folders with their times and budgets, the largest first, as lines. */
export function describeFolders(folders: Seconds, budgets: Seconds): readonly string[] {
  const rows = Object.entries(folders).sort(([, one], [, other]) => other - one);
  return [
    "seconds of processor time by folder, and its budget:",
    ...rows.map(([folder, time]) => {
      const budget = String(budgets[folder] ?? "none").padStart(6);
      return `${time.toFixed(1).padStart(8)} ${budget}  ${folder}`;
    }),
  ];
}

/** Folders above their budgets by half, each a sentence. */
export function aboveBudgets(folders: Seconds, budgets: Seconds): readonly string[] {
  return Object.entries(folders).flatMap(([folder, time]) => {
    const budget = budgets[folder];
    if (budget === undefined) {
      return [`${folder}: took ${time.toFixed(1)} s, and has no budget. Add it to '${BUDGETS}'`];
    }
    if (time <= budget * TOLERANCE) return [];
    return [
      `${folder}: took ${time.toFixed(1)} s of processor time, expected at most ` +
      `${budget * TOLERANCE} s, its budget of ${budget} s and a half. Make its tests faster, or ` +
      "leave some to 'deno task test:all'",
    ];
  });
}

/**
 * Writes what folders took as their budgets, in whole seconds.
 *
 * @throws {Error} where the sum is above the limit, or a folder that has a budget is absent
 */
export async function writeBudgets(folders: Seconds): Promise<void> {
  for (const folder of Object.keys(await readBudgets())) {
    const isThere = await Deno.stat(folder).then(() => true, () => false);
    if (folder in folders || !isThere) continue;
    throw new Error(`No report has tests of '${folder}': give the reports of all parts together`);
  }
  const budgets = Object.entries(folders).sort().map(([folder, time]) => {
    return [folder, Math.max(1, Math.ceil(time))] as const;
  });
  const sum = budgets.reduce((total, [, budget]) => total + budget, 0);
  if (sum > LIMIT) throw new Error(`The folders took ${sum} s, expected at most ${LIMIT} s`);
  await Deno.writeTextFile(
    BUDGETS,
    JSON.stringify(Object.fromEntries(budgets), undefined, 2) + "\n",
  );
}
