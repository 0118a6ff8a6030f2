import {
  baseline,
  type BaselineOptions,
  type ConnectionStatus,
  type MigrationFile,
  type PlannedRun,
  previewRun,
  type Resolution,
  resolve,
  run,
  type RunOptions,
  type RunReport,
  type Session,
  statusOf,
  type Target,
} from "../../../src/migrations/runner/mod.ts";
import {
  type SearchConnection,
  type SearchEnvironment,
  type SearchMigration,
  searchTarget,
} from "../../../src/migrations/search/mod.ts";
import { httpClient } from "../../../src/runtime/client.ts";
import { type HttpClient, type HttpClientOptions, loadRuntime } from "../../../src/runtime/mod.ts";
import { FEATURES } from "../../features/all.ts";
import { filesOf } from "../runner/memory.ts";

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
    offers: [],
  };
}

/** Notices of the runner. */
export interface Told {
  readonly notices: string[];
}

/** The parts of the environment that a test replaces. */
export type Environment = Partial<SearchEnvironment> & { told?: Told };

/** Content by path, in order. */
export type Tree = Readonly<Record<string, string>>;

/** A target for a cluster. */
export function targetOf(
  connection: SearchConnection | string,
  options: Environment = {},
): Target<SearchMigration> {
  const { told, ...environment } = options;
  return searchTarget(typeof connection === "string" ? connectionTo(connection) : connection, {
    openClient: () => Promise.resolve(openClient()),
    owner: "test-1-a",
    lockTimeoutMs: 2000,
    features: FEATURES,
    onNotice: (message) => told?.notices.push(message),
    ...environment,
  });
}

/** The files as the target wants them. */
async function filesFor(
  target: Target<SearchMigration>,
  tree: Tree,
): Promise<readonly MigrationFile[]> {
  const files = await filesOf(tree);
  return await target.withValues(files);
}

/** Opens a session for these files and closes it afterwards. */
export async function withSession<T>(
  connection: SearchConnection | string,
  tree: Tree,
  work: (
    session: Session<SearchMigration>,
    files: readonly MigrationFile[],
    target: Target<SearchMigration>,
  ) => Promise<T>,
  options: Environment = {},
): Promise<T> {
  const target = targetOf(connection, options);
  const session = await target.open();
  try {
    return await work(session, await filesFor(target, tree), target);
  } finally {
    await session.close();
  }
}

/** Applies these files (`path: content`, in order) to a cluster. */
export async function apply(
  connection: SearchConnection | string,
  tree: Tree,
  options: Environment & RunOptions = {},
): Promise<RunReport> {
  const { onEvent, signal, yes, ...environment } = options;
  const target = targetOf(connection, environment);
  return await run(target, await filesFor(target, tree), { onEvent, signal, yes });
}

export function planned(
  connection: SearchConnection | string,
  tree: Tree,
  options?: Environment,
): Promise<PlannedRun> {
  return withSession(connection, tree, (session, files) => previewRun(session, files), options);
}

/** The rows of `status`. */
export function standing(
  connection: SearchConnection | string,
  tree: Tree,
  options?: Environment,
): Promise<ConnectionStatus> {
  return withSession(connection, tree, statusOf, options);
}

/** The records that `baseline` writes. */
export function recorded(
  connection: SearchConnection | string,
  tree: Tree,
  which?: BaselineOptions,
  options?: Environment,
): Promise<readonly string[]> {
  return withSession(connection, tree, (session, files) => {
    return baseline(session, files, which);
  }, options);
}

/** The attempt that `resolve` settles. */
export function resolved(
  connection: SearchConnection | string,
  tree: Tree,
  path: string,
  answer: "applied" | "retry",
  options?: Environment,
): Promise<Resolution | undefined> {
  return withSession(connection, tree, (session, files) => {
    return resolve(session, files, path, answer);
  }, options);
}
