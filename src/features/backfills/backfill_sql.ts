import type { Config } from "../../config/mod.ts";
import { targetsOf } from "../../migrations/commands.ts";
import { type MigrateSqlOptions, RUN_FEATURES } from "../../migrations/startup.ts";
import { loadRuntime } from "../../runtime/mod.ts";
import { join } from "../../runtime/path.ts";
import type { ConnectionsHealth } from "../monitoring/monitoring.ts";
import type { BackfillState } from "./state.ts";

export type { BackfillState };

/** The options of {@linkcode backfillSql}. */
export interface BackfillSqlOptions extends Omit<MigrateSqlOptions, "using" | "waitMs" | "yes"> {
  /** Only the backfill of this path below the folder of its connection. @default all that are not done */
  readonly file?: string;
}

/**
 * Runs backfills as `irori backfill run` does, for instance from a job: `await backfillSql({ signal })(config)`. Aborting
 * the signal ends it behind the batch in hand; the next call goes on there. `onEvent` gets events of the type `progress`.
 *
 * @returns a function that gives how far each is, by the names of datasources, and of their tenants: `main[acme]`. One
 * that is paused counts as no error. It rejects with the reason of the signal where some were left; and, after it has
 * tried all others, with the first error: a {@linkcode MigrationFailedError} when the database refuses a batch, a
 * {@linkcode LockedError} when another run is at work for longer than `lockTimeoutMs`, a {@linkcode ConnectionError}, an
 * {@linkcode InvalidFilesError}, a {@linkcode ConfigError}, or a {@linkcode FeatureError} where a
 * migration before it is pending, its table has no such key, or its file was edited since it began
 */
export function backfillSql(
  { file, ...options }: BackfillSqlOptions = {},
): (config: Config) => Promise<Readonly<Record<string, readonly BackfillState[]>>> {
  return async (config) => await workOn("run", file, await optionsFrom(config, options));
}

/**
 * Whether the backfills of each datasource and of its tenants are done: `actuator({ health: [backfillHealth()] })`. The
 * indicators are named `<datasource>Backfills`: `UP`, or `UNKNOWN` while one is not done; they reject where that cannot be
 * read, which counts as `DOWN`. Details have `backfills`, a list of {@linkcode BackfillState}.
 */
export function backfillHealth(
  options: Pick<BackfillSqlOptions, "sqlPath"> = {},
): ConnectionsHealth {
  return async (config) => {
    const own = await optionsFrom(config, options);
    const names = (await targetsOf("sql", own)).map(({ connection }) => connection);
    return Object.fromEntries(names.map((connection) => [`${connection}Backfills`, {
      async health() {
        // With tenants, one datasource has several.
        const found = await workOn("status", undefined, { ...own, connection });
        const backfills = Object.values(found).flat();
        const isDone = backfills.every(({ state }) => state === "done");
        return { status: isDone ? "UP" : "UNKNOWN", details: { backfills } };
      },
    }]));
  };
}

async function optionsFrom(
  config: Config,
  { sqlPath = join(config.root, "migrations"), ...options }: Omit<BackfillSqlOptions, "file">,
) {
  return { sqlPath, ...options, features: RUN_FEATURES, config, runtime: await loadRuntime() };
}

async function workOn(
  action: "run" | "status",
  file: string | undefined,
  options: Awaited<ReturnType<typeof optionsFrom>>,
) {
  const { workOnBackfills } = await import("./work.ts");
  const errors: Error[] = [];
  const onFailure = (error: Error) => errors.push(error);
  const findings = await workOnBackfills("sql", action, file, { ...options, onFailure });
  if (errors[0]) throw errors[0];
  const isLeft = ({ state }: BackfillState) => state === "begun" || state === "pending";
  if (findings.some(({ found }) => found.some(isLeft))) options.signal?.throwIfAborted();
  return Object.fromEntries(findings.map(({ connection, found }) => [connection, found]));
}
