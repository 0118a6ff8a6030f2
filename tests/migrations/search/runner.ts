import {
  type MigrationFile,
  run,
  type RunOptions,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import { httpClient } from "../../../src/runtime/client.ts";
import { type HttpClient, type HttpClientOptions, loadRuntime } from "../../../src/runtime/mod.ts";
import {
  type SearchConnection,
  type SearchEnvironment,
  type SearchInspection,
  type SearchMigration,
  type SearchTarget,
  searchTarget,
} from "../../../src/migrations/search/mod.ts";
import { fileOf } from "./files.ts";

const runtime = await loadRuntime();

/** A client of the runtime's, for these TLS settings. */
export function openClient(options?: HttpClientOptions): HttpClient {
  return httpClient(runtime, options);
}

/** A connection to these hosts. */
export function connectionTo(...hosts: string[]): SearchConnection {
  return {
    name: "logs",
    hosts,
    timeoutMs: 5000,
    connectTimeoutMs: 1000,
    verifyTls: true,
    migrationsEnabled: true,
  };
}

/** What the runner told a test. */
export interface Told {
  readonly notices: string[];
}

/** What a test gives in place of the usual environment. */
export type Environment = Partial<SearchEnvironment> & { told?: Told };

/** A target for a cluster. */
export function targetOf(
  connection: SearchConnection | string,
  options: Environment = {},
): SearchTarget {
  const { told, ...environment } = options;
  return searchTarget(typeof connection === "string" ? connectionTo(connection) : connection, {
    openClient: () => Promise.resolve(openClient()),
    owner: "test-1-a",
    lockTimeoutMs: 2000,
    onNotice: (message) => told?.notices.push(message),
    ...environment,
  });
}

/** Opens a session for these files and closes it afterwards. */
export async function withSession<T>(
  connection: SearchConnection | string,
  tree: Record<string, string>,
  work: (session: SearchInspection, migrations: readonly SearchMigration[]) => Promise<T>,
  options: Environment = {},
): Promise<T> {
  const target = targetOf(connection, options);
  const migrations = (await filesOf(tree)).map(target.classify);
  const session = await target.open();
  try {
    return await work(session, migrations);
  } finally {
    await session.close();
  }
}

function filesOf(tree: Record<string, string>): Promise<readonly MigrationFile[]> {
  return Promise.all(Object.entries(tree).map(([path, text]) => fileOf(path, text)));
}

/** Applies these files (`path: content`, in order) to a cluster. */
export async function apply(
  connection: SearchConnection | string,
  tree: Record<string, string>,
  options: Environment & RunOptions = {},
): Promise<RunReport> {
  const { onEvent, signal, ...environment } = options;
  const target = targetOf(connection, environment);
  return await run(target, await filesOf(tree), { onEvent, signal });
}
