import { identifier } from "../../files/quoting.ts";
import type { Command, SqlMigration, Table } from "../../types.ts";
import type { BatchClient } from "./batches.ts";
import { toSqlite } from "./driver.ts";
import { TEMPORARIES } from "./handle.ts";

/** What is used of a client of `@libsql/client`, local or remote. */
interface Client {
  readonly protocol?: string;
  execute(statement: Sent): Promise<Result>;
  /** A batch without foreign keys. */
  migrate(statements: readonly Sent[]): Promise<unknown>;
}

interface Sent {
  readonly sql: string;
  readonly args: readonly (string | number | null)[];
}

interface Result {
  readonly columns: readonly string[];
  /** Values by their places. */
  readonly rows: readonly ArrayLike<unknown>[];
  readonly rowsAffected: number;
}

export function libsqlClient(using: object): BatchClient {
  const client = using as Client;
  const all = async (sql: string): Promise<Table> => {
    const { columns, rows } = await client.execute({ sql, args: [] });
    const valuesOf = (row: ArrayLike<unknown>) =>
      columns.map((name, index) => [name, toNumber(row[index])]);
    return { columns, rows: rows.map((row) => Object.fromEntries(valuesOf(row))) };
  };
  return {
    all,
    change: async (command) => (await client.execute(sent(command))).rowsAffected,
    batch: (commands) => client.migrate(commands.map(sent)),
    failedAt: (error) => (error as { statementIndex?: number }).statementIndex,
    async clean({ statements }: SqlMigration) {
      // A remote server has a session for each batch.
      const hasTemporaries = statements.some(({ words }) => /\bTEMP/.test(words.join(" ")));
      if (client.protocol !== "file" || !hasTemporaries) return;
      for (const { type, name } of (await all(TEMPORARIES)).rows) {
        if (type === "index") continue;
        await client.execute({
          sql: `DROP ${type} IF EXISTS temp.${identifier(`${name}`)}`,
          args: [],
        });
      }
    },
  };
}

function sent({ sql, values }: Command): Sent {
  return { sql, args: values.map(toSqlite) };
}

/** Clients may read whole numbers as `bigint`. */
function toNumber(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
