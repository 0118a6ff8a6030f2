import {
  type Drift,
  examine,
  type FileProblem,
  type FileStatus,
  type Migration,
  misleadingNumbers,
  plan,
  type PlanNotice,
  type Preview,
  type Session,
  statusOf,
  understand,
} from "./runner/mod.ts";
import { type Connection, connectionsOf, type ConnectionsOptions } from "./connections.ts";
import type { MigrationType } from "./targets.ts";

/** What a command found out about one connection. */
export interface Finding<T> {
  /** Name of the connection. */
  readonly connection: string;
  /** What was found. */
  readonly found: T;
}

/** What the next run would do. */
export interface PlannedRun {
  /** Files in order, with what applying them would send. */
  readonly steps: readonly { readonly migration: Migration; readonly preview: Preview }[];
  /** Worth telling before it starts. */
  readonly notices: readonly PlanNotice[];
}

/** Where each file stands. Nothing is written. */
export function migrationStatus(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Finding<readonly FileStatus[]>[]> {
  return inspect(type, options, async (session, migrations) => {
    const { interrupted, records } = await session.read(migrations);
    // What was read by id is newer than what a search finds.
    const all = new Map([...await session.all(), ...records]);
    return statusOf(migrations, all, interrupted);
  });
}

/** What the next run would send. Nothing is written. */
export function planMigrations(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Finding<PlannedRun>[]> {
  return inspect(type, options, async (session, migrations, { target }) => {
    const history = await session.read(migrations);
    const { steps, notices } = plan(target.connection, migrations, history);
    const previewed: PlannedRun["steps"][number][] = [];
    for (const { migration, previous } of steps) {
      previewed.push({ migration, preview: await session.preview(migration, previous) });
    }
    return { steps: previewed, notices };
  });
}

/** Where live resources are no longer as the files say that were applied. Nothing is written. */
export function migrationDrift(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Finding<readonly Drift[]>[]> {
  return inspect(type, options, async (session, migrations) => {
    const { records } = await session.read(migrations);
    const applied = migrations.filter(({ file }) => records.get(file.path)?.hash === file.hash);
    return await session.drift?.(applied) ?? [];
  });
}

/** What is wrong with the files, or worth a warning. Sends nothing. */
export async function validateMigrations(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<
  readonly Finding<{ readonly files: number; readonly problems: readonly FileProblem[] }>[]
> {
  const connections = await connectionsOf(type, options);
  return connections.map(({ target, files }) => {
    const problems = [
      ...examine(target, files).problems,
      ...misleadingNumbers(files.map(({ path }) => path)),
    ];
    return { connection: target.connection, found: { files: files.length, problems } };
  });
}

/**
 * Records files that have no record as applied, without applying them.
 *
 * @returns the paths that were recorded
 */
export function baselineMigrations(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Finding<readonly string[]>[]> {
  return inspect(type, options, async (session, migrations) => {
    const { records } = await session.read(migrations);
    const fresh = migrations.filter(({ file }) => !records.has(file.path));
    if (fresh.length > 0) await session.record(fresh);
    return fresh.map(({ file }) => file.path);
  });
}

/**
 * Settles what became of a file that a run was cut off in.
 *
 * @param path below the connection's folder
 * @returns for each connection with a file of that path, whether there was something to settle
 */
export async function resolveMigration(
  type: MigrationType,
  path: string,
  answer: "applied" | "retry",
  options: ConnectionsOptions,
): Promise<readonly Finding<boolean>[]> {
  const findings = await inspect(type, options, async (session, migrations) => {
    const migration = migrations.find(({ file }) => file.path === path);
    return migration === undefined ? undefined : await session.resolve(migration, answer);
  });
  return findings.flatMap(({ connection, found }) =>
    found === undefined ? [] : [{ connection, found }]
  );
}

/** Does something with an open session of each enabled connection. */
async function inspect<T>(
  type: MigrationType,
  options: ConnectionsOptions,
  work: (session: Session, migrations: readonly Migration[], connection: Connection) => Promise<T>,
): Promise<readonly Finding<T>[]> {
  const findings: Finding<T>[] = [];
  for (const connection of await connectionsOf(type, options)) {
    const { target, files } = connection;
    const migrations = understand(target, files, options);
    const session = await target.open();
    try {
      const found = await work(session, migrations, connection);
      findings.push({ connection: target.connection, found });
    } finally {
      await session.close();
    }
  }
  return findings;
}
