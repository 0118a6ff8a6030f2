import { DatabaseError } from "../../errors.ts";
import { errorOf } from "../../../../text/mod.ts";
import type { Command, SqlMigration, Table } from "../../types.ts";
import type { BatchClient } from "../sqlite/driver.ts";
import { type Check, NO_ROWS, Rehearsal } from "./rehearsal.ts";

export type Ask = (sql: string) => Promise<Table>;

/** Why a run will refuse a file, or may, depending on the rows that the files leave. */
export interface Refusal {
  readonly message: string;
  readonly isCertain: boolean;
}

/**
 * Which files D1 would lose rows by: it enforces foreign keys whatever `PRAGMA foreign_keys` says, so that the drop of a
 * table deletes or changes the rows that refer to it with an action (`ON DELETE CASCADE`).
 *
 * @param migrations in their order
 */
export async function refusalsOf(
  migrations: readonly Pick<SqlMigration, "statements">[],
  ask: Ask,
): Promise<readonly (Refusal | undefined)[]> {
  const isDropping = ({ statements }: Pick<SqlMigration, "statements">) =>
    statements.some(({ words: [first, second] }) => first === "DROP" && second === "TABLE");
  if (!migrations.some(isDropping)) return [];
  const rehearsal = await Rehearsal.of(ask);
  return await Array.fromAsync(migrations, ({ statements }) => {
    return refusalBy(rehearsal.play(statements.map(({ text }) => text)), ask);
  });
}

async function refusalBy(checks: readonly Check[], ask: Ask): Promise<Refusal | undefined> {
  let doubt: Refusal | undefined;
  for (const { before, describe } of checks) {
    if (before === undefined) {
      const message = `A run refuses the file if it finds such rows: ${describe()}`;
      doubt ??= { message, isCertain: false };
    } else if (before !== NO_ROWS) {
      const number = Number((await ask(before)).rows[0]?.number);
      if (number > 0) return { message: describe(number), isCertain: true };
    }
  }
  return doubt;
}

/** A client that counts the rows in the same batch, directly before they would be lost: then it is taken back. */
export function guarded(client: BatchClient): BatchClient {
  const guard = async (commands: readonly Command[], send: () => Promise<unknown>) => {
    if (!commands.some(({ sql }) => /\bDROP\b/i.test(sql))) return await send();
    const rehearsal = await Rehearsal.of((sql) => client.all(sql));
    const checks = rehearsal.play(commands.map(({ sql }) => sql));
    if (checks.length === 0) return await send();
    const guards = Map.groupBy(checks.entries(), ([, { at }]) => at);
    const all = commands.flatMap((command, at) => {
      const own = guards.get(at) ?? [];
      return [...own.map(([index, { count }]) => failing(index, count)), command];
    });
    return await client.batch(all).catch((error) => {
      const [, index, rows] = /\birori (\d+) (\d+)\b/.exec(errorOf(error).message) ?? [];
      const check = checks[Number(index)];
      if (!check) throw error;
      throw new DatabaseError("refused", check.describe(Number(rows)), { completed: check.at });
    });
  };
  return {
    hasSession: client.hasSession,
    leastPauseMs: client.leastPauseMs,
    all: (sql) => client.all(sql),
    change: async (command) => Number(await guard([command], () => client.change(command)) ?? 0),
    batch: (commands) => guard(commands, () => client.batch(commands)),
    close: () => client.close(),
  };
}

/** The path of a value that does not begin with `$` is an error, whose message repeats it. */
function failing(index: number, count: string): Command {
  const sql =
    `SELECT json_extract('{}', 'irori ${index} ' || number) FROM (${count}) WHERE number > 0`;
  return { sql, values: [] };
}
