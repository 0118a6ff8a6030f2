import { GROUPS } from "./_groups.ts";
import { casesOf, type TestCase } from "./_report.ts";

/** The least number of tests by command, server and runtime: `deno task test:count` writes it. */
export const EXPECTED_COUNTS = "tests/expected_counts.json";

/** The commands that run all of their tests. */
export type Command = "test" | "test:all";

/** Tests of what reads SQL, which name a database and ask none. */
const ASKS_NONE = /^(?:classifySql|split) |lints files of/;

/** Tests of one group. */
export interface Tally {
  readonly ran: number;
  readonly skipped: number;
}

/** Counts tests by server and runtime, and all of them as `all`, from a report of `deno test --junit-path`. */
export function tally(report: string): Readonly<Record<string, Tally>> {
  const tests = casesOf(report);
  const counted = (own: readonly TestCase[]): Tally => {
    const skipped = own.filter(({ isSkipped }) => isSkipped).length;
    return { ran: own.length - skipped, skipped };
  };
  return Object.fromEntries([
    ...GROUP_NAMES.map((name) => [name, counted(tests.filter(({ title }) => isOf(name, title)))]),
    ["all", counted(tests)],
  ]);
}

/** The servers and runtimes that tests are counted by. */
export const GROUP_NAMES: readonly string[] = GROUPS.map(({ name }) => name);

/** Whether a title names a server or runtime. */
export function isOf(group: string, title: string): boolean {
  const found = GROUPS.find(({ name }) => name === group);
  return found !== undefined && found.title.test(title) && !ASKS_NONE.test(title);
}

/** Where there are fewer tests than there were, skipped ones included: each a sentence. */
export function shortfalls(
  command: Command,
  found: Readonly<Record<string, Tally>>,
  expected: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(expected).flatMap(([name, count]) => {
    const { ran, skipped } = found[name] ?? { ran: 0, skipped: 0 };
    if (ran + skipped >= count) return [];
    return [
      `${name}: found ${
        ran + skipped
      } tests of 'deno task ${command}', expected at least ${count}. ` +
      `If tests were removed on purpose, run 'deno task test:count' and commit '${EXPECTED_COUNTS}'`,
    ];
  });
}

/** The numbers as lines. */
export function describeTally(found: Readonly<Record<string, Tally>>): readonly string[] {
  return Object.entries(found).map(([name, { ran, skipped }]) =>
    `${String(ran).padStart(8)}  ${name}${skipped > 0 ? ` (${skipped} skipped)` : ""}`
  );
}
