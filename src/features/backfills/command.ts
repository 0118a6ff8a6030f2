import { command, EXIT, grouped, type Screen, UsageError } from "../../cli/mod.ts";
import { printable } from "../../text/mod.ts";
import type { Action, BackfillStatus } from "./work.ts";

const ACTIONS: readonly string[] = ["run", "plan", "status", "pause", "resume"];

export const declared = command({
  name: "backfill",
  operands: ["<action>", "[file]"],
  description: "change many rows or documents, beside the application",
  examples: [
    ["backfill run", "run all that are not done, in the order of their files"],
    ["backfill plan 0007_backfill.sql", "try one batch, take it back, and say how long all take"],
    ["backfill pause 0007_backfill.sql", "stop a run behind its batch; 'resume' lets it go on"],
  ],
  epilogue: `
Actions: run, plan, status, pause, resume. A backfill is a file with 'backfill' in its name and '-- irori: batches of
5000 by id' before one UPDATE, DELETE or INSERT … SELECT, or for clusters a request with 'backfill: true'; 'migrate'
never runs it. A run that was stopped or killed goes on where it was. 'run' exits with 4 while a backfill is paused.
`,
  worked: `
$ irori backfill run
main: 20261130-101500_backfill.sql  done     120,000 rows changed
`,
  async run(context) {
    const { globals: { type }, operands: [action = "", file], screen } = context;
    if (!ACTIONS.includes(action)) {
      throw new UsageError(`Expected one of ${ACTIONS.join(", ")}, found '${action}'`);
    }
    if (file === undefined && (action === "pause" || action === "resume")) {
      throw new UsageError(`Expected a file after '${action}'`);
    }
    const { workOnBackfills } = await import("./work.ts");
    using work = await context.migrations({
      onFailure: (error, connection) => work.fail(error, connection),
    });
    const findings = await workOnBackfills(type, action as Action, file, work.options);
    for (const { connection, found } of findings) {
      if (found.length === 0) screen.write(`${connection}: no backfills\n`);
      const noun = type === "sql" ? "rows" : "documents";
      for (const one of found) screen.write(`${connection}: ${lineOf(one, noun, screen)}\n`);
    }
    const code = work.print(findings.map(({ found, ...one }) => ({ ...one, backfills: found })));
    const isDone = findings.every(({ found }) => found.every(({ state }) => state === "done"));
    return code ?? work.stopCode() ?? (action === "run" && !isDone ? EXIT.pending : undefined);
  },
});

function lineOf(status: BackfillStatus, noun: string, { colors }: Screen): string {
  const { file, state, isEdited, rows = 0, plan: { keys, durationMs } = {} } = status;
  const paint = state === "done" ? colors.green : colors.yellow;
  const time = durationMs === undefined ? "" : ` in ${grouped(durationMs / 1000, 1)} s`;
  const about = keys === undefined
    ? `${grouped(rows)} ${noun} changed`
    : `about ${grouped(keys)} ${noun}${time}`;
  const edited = isEdited ? ", and the file was edited since it began" : "";
  return `${printable(file)}  ${paint(state.padEnd(7))}  ${about}${edited}`;
}
