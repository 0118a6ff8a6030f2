import { resolve } from "@std/path";
import { expectedFinding, type LockRow, lockRows } from "../tests/features/lint/locks_table.ts";
import { ROWS, SETUP } from "../tests/features/lint/rows.ts";
import { rulesIn } from "../tests/features/lint/support.ts";
import { npmInstall } from "./_npm.ts";

/** The version whose verdicts are written down. */
const SQUAWK = "2.66.0";
const PAGE = "docs/proofs/sql-lint.md";

/** Rules of squawk that are about style or settings and speak of nearly every file. */
const LEFT_OUT = [
  "prefer-robust-stmts",
  "require-timeout-settings",
  "require-lock-timeout",
  "require-statement-timeout",
  "prefer-text-field",
  "prefer-bigint-over-int",
  "prefer-bigint-over-smallint",
  "prefer-identity",
  "prefer-timestamptz",
  "identifier-too-long",
  "require-table-schema",
  "require-enum-value-ordering",
];

/** Writes the findings of irori and squawk for the statement of each measured row. */
async function compare(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "irori-squawk-" });
  try {
    await npmInstall(folder, [`squawk-cli@${SQUAWK}`]);
    const squawk = resolve(folder, "node_modules/.bin/squawk");
    const rows = await lockRows();
    const lines: string[] = [];
    const totals = { irori: [0, 0], squawk: [0, 0] };
    for (const row of rows) {
      const [sql, before = ""] = ROWS[row.label]!;
      const file = resolve(folder, "file.sql");
      await Deno.writeTextFile(file, `${sql};\n`);
      const head = row.isTransactional ? "" : "-- irori: no-transaction\n";
      const ours = await rulesIn([SETUP + before, `${head}${sql};`]);
      const theirs = await verdict(squawk, file, row);
      count(totals.irori, row, ours);
      count(totals.squawk, row, theirs);
      lines.push(`| \`${row.label}\` | ${dangerOf(row)} | ${cell(ours)} | ${cell(theirs)} |`);
    }
    await Deno.writeTextFile(PAGE, page(lines, rows, totals));
    const format = new Deno.Command(Deno.execPath(), { args: ["fmt", PAGE] });
    await format.output();
    console.log(totals);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function verdict(squawk: string, file: string, row: LockRow): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(squawk, {
    args: [
      "--reporter=json",
      "--pg-version=15",
      `--exclude=${LEFT_OUT.join(",")}`,
      ...row.isTransactional ? ["--assume-in-transaction"] : [],
      file,
    ],
    env: { SQUAWK_DISABLE_GITHUB_ANNOTATIONS: "1" },
  }).output();
  const found = JSON.parse(new TextDecoder().decode(stdout)) as { rule_name: string }[];
  return found.map(({ rule_name }) => rule_name);
}

/** Counts missed findings and false findings. */
function count(total: number[], row: LockRow, found: readonly string[]): void {
  const expected = expectedFinding(row);
  if (expected === true && found.length === 0) total[0]!++;
  if (expected === false && found.length > 0) total[1]!++;
}

function dangerOf(row: LockRow): string {
  const expected = expectedFinding(row);
  if (expected === undefined) return "always fails";
  return expected ? "**yes**" : row.isBlocked ? "instant lock" : "no";
}

function cell(rules: readonly string[]): string {
  return [...new Set(rules)].map((rule) => `\`${rule}\``).join(", ") || "–";
}

function page(
  lines: readonly string[],
  rows: readonly LockRow[],
  { irori, squawk }: Readonly<Record<"irori" | "squawk", readonly number[]>>,
): string {
  const dangerous = rows.filter((row) => expectedFinding(row)).length;
  const harmless = rows.filter((row) => expectedFinding(row) === false).length;
  const date = new Date().toISOString().slice(0, 10);
  return `# SQL lint, compared with squawk

\`deno run -A tools/compare_lint.ts\` generated this page on ${date} with squawk-cli ${SQUAWK}
(\`squawk --pg-version=15\`, with \`--assume-in-transaction\` if the file is one transaction). The
comparison excludes squawk's rules about style and settings, which apply to nearly every file:
${LEFT_OUT.map((rule) => `\`${rule}\``).join(", ")}.

The locks of the statements were measured on PostgreSQL 15 (\`tests/features/lint/locks.md\`).
A statement is dangerous if it blocks reads or writes while the table is scanned or rewritten, deletes
data, breaks an application that uses the old name, or fails on the first row. irori also reads the
earlier file that creates the table; squawk checks one file at a time.

| | irori | squawk |
| --- | --- | --- |
| dangerous statements without a finding (of ${dangerous}) | ${irori[0]} | ${squawk[0]} |
| statements without a lock or with an instant lock, with a finding (of ${harmless}) | ${
    irori[1]
  } | ${squawk[1]} |

An instant lock is not a finding here; a \`lock_timeout\` limits the wait for it.

| statement | dangerous | irori | squawk |
| --- | --- | --- | --- |
${lines.join("\n")}
`;
}

if (import.meta.main) await compare();
