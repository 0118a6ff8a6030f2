import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { unquoted } from "../../migrations/sql/syntax/names.ts";
import type { Command, SqlEnvironment } from "../../migrations/sql/types.ts";

/** The table that a statement reads, by a column of it, and the table that it writes to. */
export interface Columns {
  readonly table: string;
  readonly column: string;
  readonly written: string;
}

/** A unique key of one column that is never NULL. */
export interface Key {
  /** A value as a text that {@linkcode literal} reads. */
  text(column: string): string;
  literal(value: string): string;
  /** About how many rows the table has. */
  readonly rows: number;
}

/** A session of its own, in which a backfill works. Its methods throw a `DatabaseError`. */
export interface Server extends AsyncDisposable {
  /** The type of texts without a limit. */
  readonly text: string;
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  begin(): Promise<void>;
  /** @returns the number of rows that matched */
  change(command: Command): Promise<number>;
  /** @returns nothing where the table has no such key, or one of the tables no transactions */
  key(backfill: Columns): Promise<Key | undefined>;
  tryLock(name: string): Promise<boolean>;
  /** How far the slowest replica is behind, and how many other sessions run a statement; nothing for a user who cannot see it. */
  strain(): Promise<{ readonly lagMs: number; readonly running: number } | undefined>;
}

export type OpenServer = (datasource: Datasource, environment: SqlEnvironment) => Promise<Server>;

/** How long a statement waits for a lock before its batch is given up and made smaller, in seconds. */
export const LOCK_SECONDS = 1;

/** @param written with or without quotes */
export function nameOf(written: string): string {
  return /^["`]/.test(written) ? unquoted(written) : written;
}
