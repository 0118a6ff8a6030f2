import type { Row } from "./history.ts";
import type { Database, SqlMigration } from "./types.ts";

/** What applying a file needs of the session. */
export interface ApplyContext {
  readonly connection: string;
  readonly database: Database;
  readonly owner: string;
  readonly clock: () => Date;
  /** Whether a statement of this dialect that fails has changed nothing. */
  readonly isAtomic: (statement: SqlMigration["statements"][number]) => boolean;
}

/** What fits into the history table. */
const MAX_OWNER = 255;

/** The row of a file that has been applied. @param started as `performance.now()` gives it */
export function appliedRow(
  { owner, clock }: ApplyContext,
  { file }: Pick<SqlMigration, "file">,
  started?: number,
): Row {
  return {
    path: file.path,
    hash: file.hash,
    executedAt: clock(),
    executedBy: owner.slice(0, MAX_OWNER),
    state: "applied",
    ...(started !== undefined && { durationMs: Math.round(performance.now() - started) }),
  };
}
