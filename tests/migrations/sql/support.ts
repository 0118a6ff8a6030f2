import {
  ConnectionError,
  type MigrationFile,
  type Resolution,
  resolve as resolveFile,
  type ResolveAnswer,
  run,
  type RunOptions,
  type RunReport,
  type Session,
} from "../../../src/migrations/runner/mod.ts";
import {
  type Datasource,
  type SqlEnvironment,
  type SqlMigration,
  sqlTarget,
} from "../../../src/migrations/sql/mod.ts";
import { loadRuntime } from "../../../src/runtime/mod.ts";
import { FEATURES } from "../../features/all.ts";
import { filesOf } from "../runner/memory.ts";
import * as postgresql from "./postgresql_support.ts";

export { fileOf, filesOf, loadedFile } from "../runner/memory.ts";

/** A test with a database of its own, skipped where its server is missing. */
export function databaseTest(
  name: string,
  support: Pick<typeof postgresql, "create" | "cleanUp">,
  missing: string | undefined,
  body: (datasource: Datasource) => Promise<void>,
): void {
  Deno.test({
    name,
    ignore: missing !== undefined,
    fn: async () => {
      try {
        await body(await support.create());
      } finally {
        await support.cleanUp();
      }
    },
  });
}

/** A test on PostgreSQL, in a database that these files were applied to. */
export function migratedTest(
  tree: Readonly<Record<string, string>>,
): (name: string, body: (datasource: Datasource) => Promise<void>) => void {
  return (name, body) => {
    const { postgresqlMissing } = postgresql;
    databaseTest(`PostgreSQL: ${name}`, postgresql, postgresqlMissing, async (datasource) => {
      await migrated(datasource, tree);
      await body(datasource);
    });
  };
}

const runtime = await loadRuntime();

/** The environment of targets in tests; `notices` collects their notices. */
export function environment(
  options: Partial<SqlEnvironment> = {},
  notices: string[] = [],
): SqlEnvironment {
  return {
    owner: "test-host-1-abc",
    lockTimeoutMs: 10_000,
    features: FEATURES,
    files: runtime.files,
    execute: runtime.execute,
    variable: (name) => runtime.env.get(name),
    onNotice: (message) => notices.push(message),
    ...options,
  };
}

/** Connections that an application has already, by the names of their databases: runs of these use them. */
export const handles = new Map<string, object>();

function withHandle(
  { database }: Datasource,
  options: Partial<SqlEnvironment>,
): Partial<SqlEnvironment> {
  const using = handles.get(database);
  return using === undefined ? options : { using, ...options };
}

/** Runs files on a datasource. */
export async function migrate(
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: Partial<SqlEnvironment> = {},
  runOptions: RunOptions = {},
): Promise<RunReport> {
  const target = sqlTarget(datasource, environment(withHandle(datasource, options)));
  return await run(target, await filesOf(tree), runOptions);
}

/** `path outcome` of every file. */
export function outcomes({ results }: Pick<RunReport, "results">): string[] {
  return results.map(({ file, outcome }) => `${file} ${outcome}`);
}

/** Runs files and expects all of them to end well. */
export async function migrated(
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: Partial<SqlEnvironment> = {},
  runOptions: RunOptions = {},
): Promise<RunReport> {
  const report = await migrate(datasource, tree, options, runOptions);
  if (report.error) throw report.error;
  return report;
}

/** Runs files and expects it to fail with an error of this kind. */
export async function failing<E extends Error>(
  kind: abstract new (...args: never[]) => E,
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: Partial<SqlEnvironment> = {},
  runOptions: RunOptions = {},
): Promise<E> {
  const { error } = await migrate(datasource, tree, options, runOptions);
  if (error instanceof kind) return error;
  throw new Error(`Expected ${kind.name} and found ${error?.name ?? "no error"}`, { cause: error });
}

/** Does something with an open session, and closes it. */
export async function inSession<T>(
  datasource: Datasource,
  action: (session: Session<SqlMigration>, files: readonly MigrationFile[]) => Promise<T>,
  tree: Readonly<Record<string, string>> = {},
  options: Partial<SqlEnvironment> = {},
): Promise<T> {
  const target = sqlTarget(datasource, environment(withHandle(datasource, options)));
  const session = await target.open();
  try {
    return await action(session, await filesOf(tree));
  } finally {
    await session.close();
  }
}

/** Resolves a file in which a run was cut off. */
export async function resolve(
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  path: string,
  answer: ResolveAnswer,
  options: Partial<SqlEnvironment> = {},
): Promise<Resolution | undefined> {
  return await inSession(
    datasource,
    (session, files) => resolveFile(session, files, path, answer),
    tree,
    options,
  );
}

/** Asks again and again, as another process does, until the answer is no longer `undefined` or `false`. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  while (true) {
    const answer = await ask().catch((error) => {
      if (error instanceof ConnectionError) return undefined;
      throw error;
    });
    if (answer !== undefined && answer !== false) return answer;
  }
}
