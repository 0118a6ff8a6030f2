import {
  type Leftover,
  migrationLeftovers,
  type Pruned,
  pruneMigrations,
} from "../../features/reindex/prune.ts";
import { type Finding, nothingToDo } from "../../migrations/commands.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { printable } from "../../text/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { type Screen, tell } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";

export async function prune(runtime: Runtime, globals: GlobalOptions): Promise<number> {
  if (globals.type !== "search") {
    throw new UsageError("Cannot prune SQL databases: expected '-m search'");
  }
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const { signal } = options;
  const found = await migrationLeftovers(globals.type, options);
  if (found.length === 0) screen.write(`${nothingToDo(globals.type, options.config)}\n`);
  const deleteAll = () => pruneMigrations(globals.type, found, options);
  return await pruneFound(runtime, screen, found, deleteAll, { ...globals, signal });
}

export interface PruneFoundOptions extends Pick<GlobalOptions, "yes" | "json"> {
  readonly signal?: AbortSignal | undefined;
}

export async function pruneFound(
  runtime: Runtime,
  screen: Screen,
  found: readonly Finding<readonly Leftover[]>[],
  deleteAll: () => Promise<readonly Finding<Pruned>[]>,
  { yes = false, json = false, signal }: PruneFoundOptions = {},
): Promise<number> {
  for (const { connection, found: leftovers } of found) {
    const title = leftovers.length === 0 ? "nothing to delete" : indices(leftovers.length);
    screen.write(`${connection}: ${title}\n`);
    for (const { file, name, size } of leftovers) {
      screen.write(`  ${name}  ${screen.colors.dim(`(${printable(file)}, ${size})`)}\n`);
    }
  }
  const total = found.reduce((sum, { found }) => sum + found.length, 0);
  const answer = total === 0 ? "no" : yes ? "yes" : await ask(runtime, screen, total, signal);
  const pruned = answer === "yes" ? await deleteAll() : [];
  for (const { connection, found: { deleted, kept } } of pruned) {
    if (deleted.length + kept.length === 0) continue;
    screen.write(`${connection}: ${deleted.length} deleted\n`);
    for (const { name } of kept) {
      screen.write(`  kept  ${name}: it is in use again, by an alias or for writes\n`);
    }
  }
  printJson(runtime, { json }, {
    connections: found.map(({ connection, found: leftovers }) => {
      const { deleted = [], kept = [] } = pruned.find((one) =>
        one.connection === connection
      )?.found ?? {};
      return { connection, leftovers, deleted, kept };
    }),
  });
  return answer === "unasked" ? EXIT.usage : EXIT.done;
}

async function ask(
  { stdin, stderr }: Runtime,
  screen: Screen,
  total: number,
  signal: AbortSignal | undefined,
): Promise<"yes" | "no" | "unasked"> {
  const { bold } = screen.logColors;
  if (!stdin.isTerminal || !stderr.isTerminal) {
    tell(screen, "error", `Nothing was deleted: add '--yes' to delete ${indices(total)}`);
    return "unasked";
  }
  screen.log(`${bold(`Delete ${indices(total)}?`)} [y/N] `);
  const line = await stdin.readLine(signal);
  if (line === undefined) screen.log("\n");
  if (/^\s*y(es)?\s*$/i.test(line ?? "")) return "yes";
  screen.log("Nothing was deleted\n");
  return "no";
}

function indices(number: number): string {
  return number === 1 ? "1 index" : `${number} indices`;
}
