import { errorOf } from "../../../../text/mod.ts";
import { DatabaseError } from "../../errors.ts";
import type { Command, Table } from "../../types.ts";
import { type BatchClient, toSqlite } from "../sqlite/driver.ts";

interface D1Database {
  prepare(sql: string): D1Statement;
  batch(statements: readonly D1Statement[]): Promise<unknown>;
}

interface D1Statement {
  bind(...values: (string | number | null)[]): D1Statement;
  run(): Promise<{ readonly meta: { readonly changes: number } }>;
  raw(options: { readonly columnNames: true }): Promise<[string[], ...unknown[][]]>;
}

/** The `D1Database` of a worker, of Miniflare, or of `getPlatformProxy()`. */
export function bindingClient(using: object): BatchClient {
  const database = using as D1Database;
  const prepare = ({ sql, values }: Command) => database.prepare(sql).bind(...values.map(toSqlite));
  return {
    hasSession: false,
    leastPauseMs: 0,
    async all(sql) {
      const [columns, ...rows] = await database.prepare(sql).raw({ columnNames: true });
      return tableOfLists(columns, rows);
    },
    change: async (command) => (await prepare(command).run()).meta.changes,
    batch: (commands) => database.batch(commands.map(prepare)).catch(explainInternal),
    close() {},
  };
}

/** workerd keeps to itself what fails when a batch is committed, and so does not say whether it was. */
function explainInternal(error: unknown): never {
  const { message } = errorOf(error);
  if (!/internal error/i.test(message)) throw error;
  throw new DatabaseError(
    "lost",
    `${message}: D1 also answers this where rows that the file leaves refer to none (FOREIGN KEY constraint failed); ` +
      "the next run reads from the record whether the file was applied",
  );
}

export function tableOfLists(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Table {
  const valuesOf = (row: readonly unknown[]) => columns.map((name, at) => [name, row[at]]);
  return { columns, rows: rows.map((row) => Object.fromEntries(valuesOf(row))) };
}
