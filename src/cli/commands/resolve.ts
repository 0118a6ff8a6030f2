import type { Resolution, ResolveAnswer } from "../../migrations/runner/mod.ts";
import { command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { flag } from "../option.ts";

export const declared = command({
  name: "resolve",
  operands: ["<file>"],
  description: "resolve an interrupted migration",
  options: {
    applied: flag("record it as applied"),
    retry: flag(
      "the next run applies or continues it; also an applied file, to undo drift (search)",
    ),
    abandon: flag("delete the unfinished copy of an index (search)"),
    cancel: flag("cancel the statement that the server still runs (sql)"),
  },
  examples: [
    ["resolve 2026/alias.json --retry -m search", "the next run applies it"],
    ["resolve orders.json --abandon -m search", "delete the copy and unblock writes"],
    ["resolve 0042_orders.sql --cancel", "cancel the statement of a killed run"],
  ],
  worked: `
$ irori status
main: 1 interrupted
  interrupted  004_x.sql  (it stopped at statement 2, and 1 is applied)
$ irori resolve 004_x.sql --retry
main/004_x.sql: the next run applies it
  known: it stopped at statement 2, and 1 is applied
`,
  namesFiles: true,
  async run(context, given) {
    const { globals: { type }, operands: [file], screen } = context;
    const [answer, ...others] = ANSWERS.filter((name) => given[name]);
    if (file === undefined || answer === undefined || others.length > 0) {
      throw new UsageError(
        "Expected a file and one of --applied (it was applied), --retry (it was not), --abandon (delete its unfinished copy) and " +
          "--cancel (cancel its statement, which still runs)",
      );
    }
    using work = await context.migrations();
    const options = { ...work.options, onFailure: work.fail };
    const { resolveMigration } = await import("../../migrations/commands.ts");
    const findings = await resolveMigration(type, file, answer, options);
    const fact = answer === "abandon" || answer === "cancel" ? "done" : "known";
    for (const { connection, found } of findings) {
      const name = file.startsWith(`${connection}/`) ? file : `${connection}/${file}`;
      screen.write(`${name}: ${nextOf(answer, found)}\n`);
      screen.write(`  ${screen.colors.dim(`${fact}: ${found.known}`)}\n`);
    }
    const connections = findings.map(({ connection, found: { known, isPending } }) => {
      return { connection, known, isPending };
    });
    return work.print(connections, { file, answer });
  },
});

const ANSWERS = ["applied", "retry", "abandon", "cancel"] as const;

const DOUBTFUL =
  "cancelled; check whether it was applied, then run 'resolve --applied' or 'resolve --retry'";

/** For a file that is pending, and one that is not; then the same if its unfinished work is kept. */
const NEXT: Readonly<Record<ResolveAnswer, readonly [string, string, string?, string?]>> = {
  applied: [
    "recorded as applied with its content at that time; the file has changed since, so the next run applies it",
    "recorded as applied",
  ],
  retry: [
    "the next run applies it",
    "recorded as before; nothing left to apply",
    "the next run continues it",
    "the file was deleted, so the next run undoes its unfinished work",
  ],
  cancel: [
    "cancelled, nothing of the file is applied; the next run applies it",
    "cancelled; nothing left to apply",
    DOUBTFUL,
    DOUBTFUL,
  ],
  abandon: ["abandoned; the next run starts again", "abandoned; nothing left to apply"],
};

export function nextOf(
  answer: ResolveAnswer,
  { isPending, isKept }: Pick<Resolution, "isPending" | "isKept">,
): string {
  const [pending, settled, resumed = pending, undone = settled] = NEXT[answer];
  if (isPending) return isKept ? resumed : pending;
  return isKept ? undone : settled;
}
