import type { Config } from "../../config/mod.ts";
import { type MigrateSqlOptions, RUN_FEATURES } from "../../migrations/startup.ts";
import { loadRuntime } from "../../runtime/mod.ts";
import { join } from "../../runtime/path.ts";
import type { BackfillState } from "./state.ts";

export type { BackfillState };

/** The options of {@linkcode backfillSql}. */
export interface BackfillSqlOptions extends Omit<MigrateSqlOptions, "using" | "waitMs" | "yes"> {
  /** Only the backfill of this path below the folder of its connection. @default all that are not done */
  readonly file?: string;
}

/** Runs backfills. @returns how far each is, by the names of datasources */
export type BackfillSql = (
  config: Config,
) => Promise<Readonly<Record<string, readonly BackfillState[]>>>;

/**
 * Runs backfills as `irori backfill run` does, for instance from a job: `await backfillSql({ signal })(config)`. Aborting
 * the signal ends it behind the batch in hand; the next call goes on there.
 *
 * @returns a function that rejects with a {@linkcode MigrationFailedError} when the database refuses a batch, and with a
 * {@linkcode LockedError} when another run is at work
 */
export function backfillSql({ file, ...options }: BackfillSqlOptions = {}): BackfillSql {
  return async (config) => {
    const own = { sqlPath: join(config.root, "migrations"), ...options, features: RUN_FEATURES };
    const [runtime, { workOnBackfills }] = await Promise.all([loadRuntime(), import("./work.ts")]);
    const findings = await workOnBackfills("sql", "run", file, { ...own, config, runtime });
    return Object.fromEntries(findings.map(({ connection, found }) => [connection, found]));
  };
}
