import {
  command,
  type Context,
  EXIT,
  flag,
  type MigrationWork,
  tell,
  UsageError,
} from "../../cli/mod.ts";
import { ask } from "../parts/ask.ts";
import type { Finding } from "../../migrations/commands.ts";
import type { Leftover, Pruned } from "./prune.ts";
import { printable } from "../../text/mod.ts";

export const declared = command({
  name: "prune",
  description: "delete the old indices that live reindex kept (search)",
  options: { yes: flag("skip the prompt") },
  examples: [
    ["prune -m search", "list them and prompt"],
    ["prune -m search --yes", "delete them without a terminal, for example in CI"],
  ],
  worked: `
$ irori prune -m search
shop: 1 index
  orders-before-1  (02-indices/orders.json, 20,045 documents, 3.2 MB)
Delete 1 index? [y/N]
`,
  async run(context, { yes }) {
    const { globals: { type }, screen } = context;
    if (type !== "search") {
      throw new UsageError("Cannot prune SQL databases: expected '-m search'");
    }
    using work = await context.migrations();
    const options = { ...work.options, onFailure: work.fail };
    const { migrationLeftovers, pruneMigrations } = await import("./prune.ts");
    const found = await migrationLeftovers(type, options);
    const deleteAll = () => pruneMigrations(type, found, options);
    return await pruneFound(
      { runtime: context.runtime, screen, print: work.print },
      found,
      deleteAll,
      yes,
      options.signal,
    );
  },
});

export async function pruneFound(
  context: Pick<Context, "runtime" | "screen"> & Pick<MigrationWork, "print">,
  found: readonly Finding<readonly Leftover[]>[],
  deleteAll: () => Promise<readonly Finding<Pruned>[]>,
  yes = false,
  signal?: AbortSignal,
): Promise<number> {
  const { screen, print } = context;
  for (const { connection, found: leftovers } of found) {
    const title = leftovers.length === 0 ? "nothing to delete" : indices(leftovers.length);
    screen.write(`${connection}: ${title}\n`);
    for (const { file, name, size } of leftovers) {
      screen.write(`  ${name}  ${screen.colors.dim(`(${printable(file)}, ${size})`)}\n`);
    }
  }
  const total = found.reduce((sum, { found }) => sum + found.length, 0);
  const isAgreed = total > 0 &&
    (yes || await ask(context, `Delete ${indices(total)}?`, signal));
  if (isAgreed === false && total > 0) screen.log("Nothing was deleted\n");
  if (isAgreed === undefined) {
    tell(screen, "error", `Nothing was deleted: add '--yes' to delete ${indices(total)}`);
  }
  const pruned = isAgreed ? await deleteAll() : [];
  for (const { connection, found: { deleted, kept } } of pruned) {
    if (deleted.length + kept.length === 0) continue;
    screen.write(`${connection}: ${deleted.length} deleted\n`);
    for (const { name } of kept) {
      screen.write(`  kept  ${name}: it is in use again, by an alias or for writes\n`);
    }
  }
  const outcomes = new Map(pruned.map(({ connection, found }) => [connection, found]));
  const failed = print(found.map(({ connection, found: leftovers }) => {
    return { connection, leftovers, deleted: [], kept: [], ...outcomes.get(connection) };
  }));
  return isAgreed === undefined ? EXIT.usage : failed ?? EXIT.done;
}

function indices(number: number): string {
  return number === 1 ? "1 index" : `${number} indices`;
}
