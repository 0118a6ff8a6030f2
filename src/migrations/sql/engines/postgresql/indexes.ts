import { DatabaseError, withDetails } from "../../errors.ts";
import type { Statement } from "../../syntax/grammar.ts";
import type { Table } from "../../types.ts";
import { isNamed } from "../../files/quoting.ts";

/**
 * Invalid indexes that no session builds, as failed `CREATE INDEX CONCURRENTLY` and `REINDEX CONCURRENTLY`
 * leave them. Which index is built by another role is not shown, nor which ones a `REINDEX` of several has still to do:
 * then it is each of the table that the session keeps locked as they do.
 */
export const INVALID_INDEXES =
  "SELECT format('%I.%I', n.nspname, c.relname) AS index, c.relname AS name, t.relname AS table, " +
  "n.nspname AS schema, pg_table_is_visible(t.oid) AS visible " +
  "FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid " +
  "JOIN pg_namespace n ON n.oid = c.relnamespace " +
  // That of a partitioned table is invalid until all partitions have theirs.
  "WHERE NOT i.indisvalid AND c.relkind = 'i' " +
  "AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p " +
  "JOIN pg_database d ON d.oid = p.datid AND d.datname = current_database() " +
  "LEFT JOIN pg_locks l ON l.pid = p.pid AND l.database = p.datid AND l.relation = i.indrelid " +
  "AND l.granted AND l.mode = 'ShareUpdateExclusiveLock' " +
  "WHERE p.index_relid = i.indexrelid " +
  "OR l.pid IS NOT NULL AND (p.index_relid IS NULL OR p.command LIKE 'REINDEX%'))";

/** Texts: `index` as SQL writes it, with its schema, as files may set another `search_path`; `visible` is `t` or `f`. */
export type InvalidIndex = Readonly<
  Record<"index" | "name" | "table" | "schema" | "visible", string>
>;

export function invalidIndexesIn({ rows }: Table): readonly InvalidIndex[] {
  return rows as readonly InvalidIndex[];
}

export function isOnTable({ text }: Statement, { table, schema, visible }: InvalidIndex): boolean {
  return isNamed(text, table) && (visible === "t" || isNamed(text, schema));
}

export function createsIndex(statement: Statement, index: InvalidIndex): boolean {
  return isNamed(statement.text, index.name) && isOnTable(statement, index);
}

export function mayHaveLeft(statement: Statement, index: InvalidIndex): boolean {
  const { words: [first], text } = statement;
  // The server may have cut the name off, or chosen it.
  if (first === "CREATE") return isOnTable(statement, index);
  // The name may be that of a schema, or of a table with partitions.
  if (first === "REINDEX") return /_cc(?:new|old)\d*$/.test(index.name);
  return first === "DROP" && isNamed(text, index.name);
}

export function invalidIndex(index: string): DatabaseError {
  const message = `the index ${index} is there and invalid, as an earlier attempt has left it: ` +
    `drop it first, by 'DROP INDEX CONCURRENTLY ${index}'`;
  return new DatabaseError("refused", message);
}

export function withLeftovers(error: DatabaseError, indexes: readonly string[]): DatabaseError {
  const drop = indexes.map((index) => `'DROP INDEX CONCURRENTLY ${index}'`).join(", ");
  const hint = `It has left ${indexes.join(", ")} behind, which is invalid: ` +
    `${drop} before the next run`;
  return withDetails(error, { hints: [...error.hints, hint], isPartial: true });
}
