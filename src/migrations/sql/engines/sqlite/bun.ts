import type { Command } from "../../types.ts";
import { type BatchClient, toSqlite } from "./driver.ts";

/** The part of `Bun.SQL` that is used on SQLite, which has one connection. */
interface Sql {
  unsafe(sql: string, values?: readonly (string | number | null)[]): Promise<Rows>;
  begin(mode: "immediate", action: (transaction: Sql) => Promise<void>): Promise<void>;
}

type Rows = readonly Record<string, unknown>[] & { readonly count: number };

export function bunClient(using: object): BatchClient {
  const sql = using as Sql;
  const run = (on: Sql, { sql, values }: Command) => on.unsafe(sql, values.map(toSqlite));
  return {
    hasSession: true,
    leastPauseMs: 0,
    async all(text) {
      const rows = await sql.unsafe(text);
      // It names no columns where there is no row.
      const named = `SELECT t.* FROM (SELECT 1) LEFT JOIN (${text}) t`;
      const [row] = rows.length > 0 ? rows : await sql.unsafe(named);
      return { columns: Object.keys(row ?? {}), rows: [...rows] };
    },
    change: async (command) => (await run(sql, command)).count,
    async batch(commands) {
      const [keys] = await sql.unsafe("PRAGMA foreign_keys");
      await sql.unsafe("PRAGMA foreign_keys = OFF");
      await sql.begin("immediate", async (transaction) => {
        for (const command of commands) await run(transaction, command);
      }).finally(() => sql.unsafe(`PRAGMA foreign_keys = ${keys?.foreign_keys}`));
    },
    close() {},
  };
}
