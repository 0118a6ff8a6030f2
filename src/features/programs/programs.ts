import { join } from "../../runtime/path.ts";
import type { Config } from "../../config/mod.ts";
import { loadRuntime } from "../../runtime/mod.ts";
import { baselineMigrations, type Finding, resolveMigration } from "../../migrations/commands.ts";
import type { CommandOptions } from "../../migrations/commands.ts";
import { type MigrateSqlOptions, RUN_FEATURES } from "../../migrations/startup.ts";
import { adoptMigrations } from "../adopt/rewrite.ts";

/** Does what a command does to the records of each datasource. @returns what it did, by the names of datasources */
export type RecordSql = (config: Config) => Promise<Readonly<Record<string, RecordedFiles>>>;

/** Files of a datasource, by their paths. */
export interface RecordedFiles {
  /** Those that are recorded now without being applied; with `dryRun` those that would be. */
  readonly recorded: readonly string[];
  /** Those that the next run applies, as far as the command tells. */
  readonly pending: readonly string[];
}

/** The options of {@linkcode adoptSql}. */
export interface AdoptSqlOptions extends MigrateSqlOptions {
  /** The tool, where there are several histories: `wrangler`. `none` lets the first run begin beside one. */
  readonly from?: string;
  /** The table of its history, where it has another name than the tool gives it. */
  readonly table?: string;
  /** Whether nothing is written. @default false */
  readonly dryRun?: boolean;
}

/**
 * Records what another tool has applied, as `irori adopt` does, also by a connection that only the program has:
 * `await adoptSql({ using: { main: env.DB } })(config)`.
 *
 * @returns a function that rejects with a {@linkcode HistoryError} when the history does not fit the files
 */
export function adoptSql(options: AdoptSqlOptions = {}): RecordSql {
  return async (config) => {
    const findings = await adoptMigrations("sql", options, await commandOptions(config, options));
    return byConnection(findings, (found) => {
      const error = found instanceof Error ? found : found.refused;
      if (found instanceof Error || error) throw error;
      const recorded = found.rows.flatMap(({ state, file }) => {
        return state === "adopted" && file !== undefined ? [file] : [];
      });
      return { recorded, pending: found.pending };
    });
  };
}

/**
 * Records files as applied without applying them, as `irori baseline` does.
 *
 * @param options with `until`, the last of these files @default all that have no record
 * @returns a function that rejects with a `ConfigError` when no datasource has the file `until`
 */
export function baselineSql(
  { until, ...options }: MigrateSqlOptions & { readonly until?: string } = {},
): RecordSql {
  return async (config) => {
    const which = until === undefined ? {} : { until };
    const findings = await baselineMigrations("sql", which, await commandOptions(config, options));
    return byConnection(findings, (recorded) => ({ recorded, pending: [] }));
  };
}

/**
 * Settles a file that a run was interrupted in, as `irori resolve` does.
 *
 * @param path of the file below its folder, or behind the name of its datasource: `main/0002_users.sql`
 * @param answer `applied` records it, `retry` applies it again, `abandon` forgets what was begun
 * @returns a function that rejects with a `ConfigError` when no such file was interrupted
 */
export function resolveSql(
  path: string,
  answer: "applied" | "retry" | "abandon",
  options: MigrateSqlOptions = {},
): RecordSql {
  return async (config) => {
    // Programs that are not compiled with types may say anything.
    if (!["applied", "retry", "abandon"].includes(answer)) {
      throw new TypeError(`Expected 'applied', 'retry' or 'abandon', found '${answer}'`);
    }
    const found = await resolveMigration(
      "sql",
      path,
      answer,
      await commandOptions(config, options),
    );
    return byConnection(found, ({ file, isPending }) => {
      return { recorded: isPending ? [] : [file], pending: isPending ? [file] : [] };
    });
  };
}

async function commandOptions(
  config: Config,
  { sqlPath = join(config.root, "migrations"), ...options }: MigrateSqlOptions,
): Promise<CommandOptions> {
  return { ...options, config, sqlPath, runtime: await loadRuntime(), features: RUN_FEATURES };
}

function byConnection<T>(
  findings: readonly Finding<T>[],
  recordedIn: (found: T) => RecordedFiles,
): Readonly<Record<string, RecordedFiles>> {
  return Object.fromEntries(
    findings.map(({ connection, found }) => [connection, recordedIn(found)]),
  );
}
