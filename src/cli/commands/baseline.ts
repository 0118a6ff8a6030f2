import { printable } from "../../text/mod.ts";
import { command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { text } from "../option.ts";

export const declared = command({
  name: "baseline",
  description: "record files as applied without applying them",
  options: {
    until: text("file", "only files up to and including this one"),
    changed: text(
      "file",
      "only this file: accept its current content, edited after it was applied",
    ),
  },
  examples: [
    ["baseline --connection main", "for a database that already has all changes"],
    ["baseline --until 2026/0042_orders.sql", "for a database that has the first changes"],
    ["baseline --changed 0007_fix.sql", "accept an edited file without applying it"],
  ],
  worked: `
$ irori baseline --until 002_items.sql
main: 2 recorded without applying
  recorded  001_orders.sql
  recorded  002_items.sql
`,
  namesFiles: true,
  async run(context, { until, changed }) {
    if (until !== undefined && changed !== undefined) {
      throw new UsageError("Expected one of --until and --changed, found both");
    }
    const { globals: { type }, screen } = context;
    using work = await context.migrations();
    const options = { ...work.options, onFailure: work.fail };
    const { baselineMigrations } = await import("../../migrations/commands.ts");
    const findings = await baselineMigrations(type, { until, changed }, options);
    const isSame = findings.length > 0 && findings.every(({ found }) => found.length === 0);
    if (changed !== undefined && isSame) {
      throw new UsageError(`'${changed}' has not changed since it was applied: nothing to record`);
    }
    for (const { connection, found } of findings) {
      screen.write(`${connection}: ${found.length} recorded without applying\n`);
      for (const file of found) screen.write(`  recorded  ${printable(file)}\n`);
    }
    return work.print(findings.map(({ connection, found }) => ({ connection, recorded: found })));
  },
});
