/** What tests are counted by: servers and runtimes, which their names give. */
const GROUPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["OpenSearch 2", /\(OpenSearch 2,/],
  ["OpenSearch 3", /\(OpenSearch 3,/],
  ["Elasticsearch 8", /\(Elasticsearch 8\)/],
  ["Elasticsearch 9", /\(Elasticsearch 9\)/],
  ["PostgreSQL", /PostgreSQL/],
  ["PgBouncer", /PgBouncer/],
  ["PGlite", /PGlite/],
  ["MariaDB", /MariaDB|^MySQL/],
  ["SQLite", /SQLite/],
  ["Chromium", /Chromium/],
  ["Node 22", /Node 22/],
  ["Node 24", /Node (?:22, )?24/],
  ["Bun", /\bBun\b/],
  ["Deno", /\bDeno\b/],
  ["workerd", /workerd/],
  ["Miniflare", /Miniflare/],
];

/** Tests of what reads SQL, which name a database and ask none. */
const ASKS_NONE = /^(?:classifySql|split) |lints files of/;

/** Tests of one group. */
export interface Tally {
  readonly ran: number;
  readonly skipped: number;
}

/** Counts tests by server and runtime, and all of them as `all`, from a report of `deno test --junit-path`. */
export function tally(report: string): Readonly<Record<string, Tally>> {
  const cases = [...report.matchAll(/<testcase name="([^"]*)"[^>]*>\s*(<skipped)?/g)]
    .map(([, name = "", skipped]) => ({ name, isSkipped: skipped !== undefined }));
  const names = new Set(cases.map(({ name }) => name));
  const tests = cases.filter(({ name }) => !isStep(name, names));
  const counted = (pattern?: RegExp): Tally => {
    const own = tests.filter(({ name }) =>
      pattern === undefined || (pattern.test(name) && !ASKS_NONE.test(name))
    );
    const skipped = own.filter(({ isSkipped }) => isSkipped).length;
    return { ran: own.length - skipped, skipped };
  };
  return Object.fromEntries([
    ...GROUPS.map(([name, pattern]) => [name, counted(pattern)]),
    ["all", counted()],
  ]);
}

/** A step is reported beside its test, as `test > step`. */
function isStep(name: string, names: ReadonlySet<string>): boolean {
  const separator = " &gt; ";
  for (let at = name.indexOf(separator); at >= 0; at = name.indexOf(separator, at + 1)) {
    if (names.has(name.slice(0, at))) return true;
  }
  return false;
}

/** Where there are fewer tests than there were, skipped ones included: each a sentence. */
export function shortfalls(
  found: Readonly<Record<string, Tally>>,
  expected: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(expected).flatMap(([name, count]) => {
    const { ran, skipped } = found[name] ?? { ran: 0, skipped: 0 };
    if (ran + skipped >= count) return [];
    return [
      `${name}: found ${ran + skipped} tests, expected at least ${count}. If tests were removed ` +
      "on purpose, run 'deno task test:count' and commit 'tests/expected_counts.json'",
    ];
  });
}

/** The numbers as lines. */
export function describeTally(found: Readonly<Record<string, Tally>>): readonly string[] {
  return Object.entries(found).map(([name, { ran, skipped }]) =>
    `${String(ran).padStart(8)}  ${name}${skipped > 0 ? ` (${skipped} skipped)` : ""}`
  );
}
