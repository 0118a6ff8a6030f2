import type { Offering, WorkProgress } from "../../migrations/runner/mod.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { TABLE } from "../../migrations/sql/journal/records.ts";
import { DATABASE, SQL } from "../../migrations/sql/offers.ts";
import type { Command } from "../../migrations/sql/types.ts";

/** How far a backfill is. */
export interface Progress {
  readonly hash: string;
  readonly isDone: boolean;
  /** The first time through the keys is 1. */
  readonly round: number;
  /** The last key that is done in this round, and the last of all where it is not repeated. */
  readonly place?: string | undefined;
  readonly until?: string | undefined;
  /** Keys that were read in all rounds. */
  readonly keys: number;
  /** Rows that were changed: in all, and in this round; in clusters documents that matched before it. */
  readonly rows: number;
  readonly roundRows: number;
  /** Documents that matched before the last finished round. */
  readonly rowsBefore: number;
  /** The key of the first row that the last round changed which came after another one. */
  readonly first?: string | undefined;
  /** In clusters some ids that matched before the last round, and how many of all it did not change. */
  readonly ids?: readonly unknown[];
  readonly conflicts?: number;
}

export interface Recorded {
  readonly isPaused: boolean;
  readonly progress: Progress;
}

const MISSING = ["42P01", "ER_NO_SUCH_TABLE"];
const WHERE = "WHERE connection = ? AND path = ?";

/** The table beside the history table, with a row for each backfill. @param session that has read its history */
export function recordsOf(session: Offering) {
  const { datasource } = SQL.of(session)!;
  const connection = datasource.recordedAs ?? datasource.name;
  const database = DATABASE.of(session)!;
  const table = `${database.table.slice(0, -TABLE.length)}irori_backfills`;
  const command = (sql: string, ...values: Command["values"]): Command => ({ sql, values });
  /** Nothing where the table is missing. */
  const rows = () =>
    database.query(`SELECT * FROM ${table}`).then(({ rows }) => rows, (error) => {
      if (error instanceof DatabaseError && MISSING.includes(error.code ?? "")) return undefined;
      throw error;
    });
  return {
    table,
    rows,
    /** @param text the type of texts without a limit */
    create(text: string): string {
      const { name, path, integer, suffix = "" } = database.types;
      return `CREATE TABLE IF NOT EXISTS ${table} (connection ${name} NOT NULL, ` +
        `path ${path} NOT NULL, paused ${integer} NOT NULL, progress ${text} NOT NULL, ` +
        `PRIMARY KEY (connection, path))${suffix}`;
    },
    insert(path: string, progress: Progress): Command {
      const sql = `INSERT INTO ${table} (connection, path, paused, progress) VALUES (?, ?, 0, ?)`;
      return command(sql, connection, path, JSON.stringify(progress));
    },
    /** Changes the row if it is as it was read, and not paused. */
    update(path: string, from: Progress, to: Progress): Command {
      const sql = `UPDATE ${table} SET progress = ? ${WHERE} AND progress = ? AND paused = 0`;
      return command(sql, JSON.stringify(to), connection, path, JSON.stringify(from));
    },
    pause: (path: string, isPaused: boolean): Command =>
      command(`UPDATE ${table} SET paused = ? ${WHERE}`, Number(isPaused), connection, path),
    async read(path: string): Promise<Recorded | undefined> {
      const row = (await rows())?.find((one) => one.connection === connection && one.path === path);
      return row && { isPaused: Number(row.paused) > 0, progress: JSON.parse(`${row.progress}`) };
    },
  };
}

export type Records = ReturnType<typeof recordsOf>;

/** @param pace how many are done in a millisecond; not known at the start */
export function speedOf(left: number, pace: number): Pick<WorkProgress, "rate" | "leftMs"> {
  return pace > 0 ? { rate: pace * 1000, leftMs: left / pace } : {};
}
