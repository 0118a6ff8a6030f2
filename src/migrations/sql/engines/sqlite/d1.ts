import type { Command, SqlMigration } from "../../types.ts";
import { foreignKeySwitches } from "./dialect.ts";
import { type BatchClient, toSqlite } from "./driver.ts";

interface D1Database {
  prepare(sql: string): D1Statement;
  batch(statements: readonly D1Statement[]): Promise<unknown>;
}

interface D1Statement {
  bind(...values: (string | number | null)[]): D1Statement;
  run(): Promise<{ readonly meta: { readonly changes: number } }>;
  raw(options: { readonly columnNames: true }): Promise<[string[], ...unknown[][]]>;
}

export function d1Client(using: object): BatchClient {
  const database = using as D1Database;
  const prepare = ({ sql, values }: Command) => database.prepare(sql).bind(...values.map(toSqlite));
  return {
    hasSession: false,
    async all(sql) {
      const [columns, ...rows] = await database.prepare(sql).raw({ columnNames: true });
      return {
        columns,
        rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
      };
    },
    change: async (command) => (await prepare(command).run()).meta.changes,
    batch: (commands) => database.batch(commands.map(prepare)),
    refuse({ statements }: SqlMigration) {
      if (foreignKeySwitches(statements).length === 0) return undefined;
      return "D1 always enforces foreign keys, PRAGMA foreign_keys has no effect there, and DROP TABLE deletes the " +
        "rows that refer to the table with ON DELETE CASCADE: change the table without dropping it";
    },
  };
}
