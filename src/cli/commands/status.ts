import type { ConnectionStatus, FileStatus } from "../../migrations/runner/mod.ts";
import { printable } from "../../text/mod.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { flag } from "../option.ts";
import type { Colors } from "../screen.ts";

export const declared = command({
  name: "status",
  description: "show the status of each file",
  options: { check: flag("exit with 4 if files are pending or changed") },
  examples: [["status -m search --check", "exit with 4 if there is something to apply"]],
  worked: `
$ irori status --check
main: 1 applied, 1 pending
  applied      001_orders.sql  (2026-11-23T10:30:55.069Z by ci-1)
  pending      002_items.sql
$ echo $?
4
`,
  isReading: true,
  hasFindings: true,
  async run(context, { check = false }) {
    const { globals: { type }, screen } = context;
    using work = await context.migrations();
    const { migrationStatus, titleOf } = await import("../../migrations/commands.ts");
    const { isAtWork } = await import("../../migrations/runner/mod.ts");
    const findings = await migrationStatus(type, work.options);
    const isTable = findings.filter(({ part }) => part !== undefined).length > 1;
    for (const { connection, part, found } of findings) {
      if (found instanceof Error) {
        work.tellError(found);
        continue;
      }
      if (isTable && part !== undefined) continue;
      const title = titleOf(type, work.options, connection);
      screen.write(`${title}: ${summary(found, isAtWork)}\n`, connection);
      for (const file of found.files) screen.write(`  ${statusLine(file, screen.colors)}\n`);
    }
    work.print(
      findings.map(({ found, ...place }) =>
        found instanceof Error ? { ...place, error: found.message } : { ...place, ...found }
      ),
    );
    await work.report((places, { statusFindings }) => statusFindings(places, findings, check));
    const states = findings.map(({ found }) => found);
    const failed = work.codeOf(states.filter((found) => found instanceof Error));
    const files = states.flatMap((found) => found instanceof Error ? [] : found.files);
    const isUpToDate = files.every(({ state }) => state === "applied" || state === "missing");
    return failed ?? (check && !isUpToDate ? EXIT.pending : EXIT.done);
  },
});

const COLORS = {
  applied: "green",
  pending: "yellow",
  changed: "yellow",
  interrupted: "red",
  missing: "dim",
} as const;

function summary(
  { files, otherHistory, lockedBy }: ConnectionStatus,
  isAtWork: (lock: NonNullable<ConnectionStatus["lockedBy"]>) => boolean,
): string {
  const parts = Object.keys(COLORS)
    .map((state) => [files.filter((file) => file.state === state).length, state])
    .filter(([number]) => number !== 0).map(([number, state]) => `${number} ${state}`);
  const lock = lockedBy &&
    (isAtWork(lockedBy)
      ? `another run is at work: ${lockedBy.owner}`
      : `the lock of ${lockedBy.owner} has run out`);
  return [
    parts.join(", ") || "no files",
    otherHistory && `there is a history of ${otherHistory}, of which 'plan' tells`,
    lock,
  ].filter(Boolean).join("; ");
}

function statusLine(
  { state, file, executedAt, executedBy, known }: FileStatus,
  colors: Colors,
): string {
  const by = executedBy === undefined ? "" : ` by ${executedBy}`;
  const facts = [executedAt && `${executedAt.toISOString()}${by}`, known]
    .filter((fact) => fact !== undefined);
  const beside = facts.length === 0 ? "" : `  ${colors.dim(`(${facts.join("; ")})`)}`;
  return `${colors[COLORS[state]](state.padEnd(11))}  ${printable(file)}${beside}`;
}
