import {
  type MigrationFile,
  run,
  type RunOptions,
  type RunReport,
  sha256,
} from "../../../src/migrations/runner/mod.ts";
import {
  type Datasource,
  type SqlEnvironment,
  sqlTarget,
} from "../../../src/migrations/sql/mod.ts";

/** Files made of `path: text`, in the order given. */
export function filesOf(tree: Readonly<Record<string, string>>): Promise<MigrationFile[]> {
  return Promise.all(
    Object.entries(tree).map(async ([path, text]) => {
      const bytes = new TextEncoder().encode(text);
      return { path, location: `/migrations/${path}`, bytes, hash: await sha256(bytes) };
    }),
  );
}

/** What targets get in tests; `notices` collects what they tell. */
export function environment(
  options: Partial<SqlEnvironment> = {},
  notices: string[] = [],
): SqlEnvironment {
  return {
    owner: "test-host-1-abc",
    lockTimeoutMs: 10_000,
    files: {
      stat: async (path) => await Deno.stat(path).catch(() => undefined),
      readTextFile: (path) => Deno.readTextFile(path),
    },
    onNotice: (message) => notices.push(message),
    ...options,
  };
}

/** Runs files on a datasource. */
export async function migrate(
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: Partial<SqlEnvironment> = {},
  runOptions: RunOptions = {},
): Promise<RunReport> {
  return await run(sqlTarget(datasource, environment(options)), await filesOf(tree), runOptions);
}

/** `path outcome` of every file. */
export function outcomes({ results }: RunReport): string[] {
  return results.map(({ file, outcome }) => `${file} ${outcome}`);
}

/** Runs files and expects all of them to end well. */
export async function migrated(
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: Partial<SqlEnvironment> = {},
): Promise<RunReport> {
  const report = await migrate(datasource, tree, options);
  if (report.error) throw report.error;
  return report;
}

/** Runs files and expects it to fail with an error of this kind. */
export async function failing<E extends Error>(
  kind: abstract new (...args: never[]) => E,
  datasource: Datasource,
  tree: Readonly<Record<string, string>>,
  options: Partial<SqlEnvironment> = {},
): Promise<E> {
  const { error } = await migrate(datasource, tree, options);
  if (error instanceof kind) return error;
  throw new Error(`Expected ${kind.name} and found ${error?.name ?? "no error"}`, { cause: error });
}
