import { type Colors, command, count, flag, list, type MigrationWork } from "../../cli/mod.ts";
import { choice, type Screen, tell, text, UsageError } from "../../cli/mod.ts";
import { printable } from "../../text/mod.ts";
import type { Adoption } from "./adopt.ts";
import type { AdoptedRow } from "./adopt_rows.ts";

const TOOLS =
  ("flyway dbmate golang-migrate node-pg-migrate knex prisma drizzle supabase goose sqlx " +
    "sql-migrate kysely mikro-orm wrangler elasticsearch-evolution none").split(" ");

export const declared = command({
  name: "adopt",
  description: "import the history of another migration tool",
  options: {
    dryRun: flag("only print what would be recorded"),
    from: choice(
      "tool",
      TOOLS,
      "the tool whose history to import; 'none' if no file belongs to a tool",
    ),
    table: text("name", "the table of that history, if it has another name"),
    apply: list("file", "leave this file pending, which the tool never applied; repeatable"),
    skip: list("file", "record this file, which the tool never applied; repeatable"),
    changed: list("file", "accept the current content of this edited file; repeatable"),
    write: flag("rewrite files of other tools instead, without connecting to a server"),
  },
  examples: [
    ["adopt --write", "remove the down sections from files of dbmate, node-pg-migrate"],
    ["adopt --dry-run", "show which file each row of the history matches"],
    ["adopt --skip 0007_a.sql", "record a file that Drizzle never applied"],
    ["adopt -m search", "import the history of elasticsearch-evolution"],
  ],
  epilogue: `
Supports Flyway, dbmate, golang-migrate, node-pg-migrate, knex, Prisma, Drizzle, wrangler, Supabase, goose, sqlx, Kysely,
MikroORM, and with '-m search' elasticsearch-evolution. Records all files of a connection or none. Refuses a file that
differs from what the tool applied, if the tool stores a checksum. Does not change the table or index of the tool.
`,
  worked: `
$ irori adopt --dry-run
main: Flyway, the table 'flyway_schema_history'
  adopted   V1__orders.sql
main: 1 would be recorded without applying, 0 pending
`,
  namesFiles: true,
  async run(context, given) {
    const { dryRun = false, from, table, write = false } = given;
    const { apply = [], skip = [], changed = [] } = given;
    const named = [from, table, ...apply, ...skip, ...changed].filter((name) => name !== undefined);
    if (write && (dryRun || named.length > 0)) {
      throw new UsageError(
        "Expected no other option of 'adopt' with --write, which uses no server",
      );
    }
    const both = apply.find((file) => skip.includes(file));
    if (both !== undefined) {
      throw new UsageError(`Expected one of --apply and --skip for '${both}'`);
    }
    using work = await context.migrations();
    if (write) return await rewrite(work);
    const { adoptMigrations } = await import("./rewrite.ts");
    const which = { dryRun, from, table, apply, skip, changed };
    const findings = await adoptMigrations(context.globals.type, which, work.options);
    const errors: Error[] = [];
    for (const { connection, found } of findings) {
      if (!(found instanceof Error)) show(context.screen, connection, found, which);
      const error = found instanceof Error ? found : found.refused;
      if (error === undefined) continue;
      errors.push(error);
      work.tellError(error);
    }
    work.print(findings.map(({ connection, found }) => {
      if (found instanceof Error) return { connection, error: found.message };
      const { refused, ...rest } = found;
      return { connection, ...rest, error: refused?.message };
    }));
    return work.codeOf(errors);
  },
});

async function rewrite({ context, options, print }: MigrationWork): Promise<void> {
  const { globals: { type }, screen } = context;
  const { rewriteMigrations } = await import("./rewrite.ts");
  const findings = await rewriteMigrations(type, options);
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${count(found.length, "file")} written\n`);
    for (const file of found) screen.write(`  written  ${printable(file)}\n`);
  }
  print(findings.map(({ connection, found }) => ({ connection, written: found })));
}

function show(
  screen: Screen,
  connection: string,
  { tool, place, rows, pending, notices, isRecorded, refused }: Adoption,
  { dryRun, from }: { readonly dryRun: boolean; readonly from: string | undefined },
): void {
  if (tool === undefined) {
    screen.write(
      `${connection}: ${from === "none" ? begun(dryRun) : "no history of another tool"}\n`,
    );
    return;
  }
  screen.write(`${connection}: ${tool}, ${place}\n`);
  for (const row of rows) screen.write(`  ${adoptedLine(row, screen.colors)}\n`);
  const { yellow } = screen.colors;
  for (const file of pending) screen.write(`  ${yellow("pending ")}  ${printable(file)}\n`);
  for (const { file, message } of notices) {
    const where = file === undefined ? connection : `${connection}/${printable(file)}`;
    tell(screen, "notice", `${where}: ${message}`);
  }
  if (refused) return;
  const number =
    new Set(rows.filter(({ state }) => state === "adopted").map(({ file }) => file)).size;
  const what = isRecorded
    ? `${number} recorded without applying`
    : dryRun
    ? `${number} would be recorded without applying`
    : "nothing new to record";
  screen.write(`${connection}: ${what}, ${pending.length} pending\n`);
}

function begun(dryRun: boolean): string {
  return dryRun
    ? "nothing would be recorded"
    : "nothing is recorded; the next run applies the pending files";
}

const COLORS = {
  adopted: "green",
  known: "dim",
  missing: "yellow",
  differs: "red",
  conflict: "red",
  failed: "red",
  omitted: "red",
} as const;

function adoptedLine({ name, file, state, reason }: AdoptedRow, colors: Colors): string {
  const lines = [
    `${printable(name)}${file === undefined || file === name ? "" : `  = ${printable(file)}`}`,
    ...state === "missing" ? ["the file does not exist"] : reason ?? [],
  ];
  const beside = lines.slice(1).map((line) => `\n${" ".repeat(12)}${colors.dim(printable(line))}`);
  return `${colors[COLORS[state]](state.padEnd(8))}  ${lines[0]}${beside.join("")}`;
}
