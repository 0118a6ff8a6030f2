import type { CommandOptions } from "./commands.ts";
import { sqlConnections } from "./connections.ts";
import { connectionFailure, openDatabase } from "./sql/mod.ts";

/** Runs a statement; texts, numbers and times of rows are as the server has them, as texts. */
export type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export interface QueriedDatabase {
  /** Whose SQL it has: `postgresql`, `mysql`, `sqlite`. */
  readonly kind: string;
  readonly query: Query;
}

/** Of the one connection that the options name. @throws {ConnectionError} */
export async function withDatabase<T>(
  options: CommandOptions,
  work: (database: QueriedDatabase) => Promise<T>,
): Promise<T> {
  const [connection] = await sqlConnections(options);
  const { datasource, environment } = connection!;
  const database = await openDatabase(datasource, environment, options.signal);
  const query: Query = async (sql) => {
    try {
      return (await database.query(sql)).rows;
    } catch (error) {
      throw connectionFailure(datasource.name, error);
    }
  };
  try {
    return await work({ kind: datasource.kind, query });
  } finally {
    await database.close();
  }
}
