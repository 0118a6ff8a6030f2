import type { Target } from "./runner/mod.ts";
import { connectionFailure, openDatabase, SQL } from "./sql/mod.ts";

/** Runs a statement; texts, numbers and times of rows are as the server has them, as texts. */
type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export interface QueriedDatabase {
  /** Whose SQL it has: `postgresql`, `mysql`, `sqlite`. */
  readonly kind: string;
  readonly query: Query;
}

/** @throws {ConnectionError} */
export async function withDatabase<T>(
  target: Target,
  signal: AbortSignal | undefined,
  work: (database: QueriedDatabase) => Promise<T>,
): Promise<T> {
  const { datasource, environment } = SQL.of(target)!;
  const database = await openDatabase(datasource, environment, signal);
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
