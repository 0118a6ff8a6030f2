import type { Command } from "../../types.ts";
import { type BatchClient, toSqlite } from "./driver.ts";

interface Client {
  readonly protocol?: string;
  execute(statement: SentStatement): Promise<Rows & { readonly rowsAffected: number }>;
  migrate(statements: readonly SentStatement[]): Promise<unknown>;
}

type SentStatement = { readonly sql: string; readonly args: readonly (string | number | null)[] };

type Rows = { readonly columns: readonly string[]; readonly rows: readonly ArrayLike<unknown>[] };

export function libsqlClient(using: object): BatchClient {
  const client = using as Client;
  const sent = ({ sql, values }: Command): SentStatement => ({ sql, args: values.map(toSqlite) });
  // Clients may read whole numbers as `bigint`.
  const read = (value: unknown) => typeof value === "bigint" ? Number(value) : value;
  return {
    // A remote server has one for each batch.
    hasSession: client.protocol === "file",
    leastPauseMs: 0,
    async all(sql) {
      const { columns, rows } = await client.execute({ sql, args: [] });
      const valuesOf = (row: ArrayLike<unknown>) =>
        columns.map((name, at) => [name, read(row[at])]);
      return { columns, rows: rows.map((row) => Object.fromEntries(valuesOf(row))) };
    },
    change: async (command) => (await client.execute(sent(command))).rowsAffected,
    batch: (commands) => client.migrate(commands.map(sent)),
    close() {},
  };
}
