import { errorOf } from "../../text/mod.ts";
import { type ConnectionsOptions, filesOf, locationOf } from "../../migrations/connections.ts";
import { CLUSTER, SEARCH, searchMigrations } from "../../migrations/search/offers.ts";
import { type FileState, fileStateOf, writeFiles } from "../../migrations/file_state.ts";
import {
  baseline,
  type Classifier,
  classifyAll,
  type FileProblem,
  MigrationFailedError,
  type MigrationFile,
  MissingFolderError,
  type RunOptions,
  type Target,
} from "../../migrations/runner/mod.ts";
import {
  pullCluster,
  type Pulled,
  type PulledFile,
  PullError,
  type PullSelection,
} from "./pull.ts";

export interface PullOptions extends PullSelection {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly baseline?: boolean;
}

export interface PullReport extends Omit<Pulled, "files"> {
  readonly connection: string;
  readonly files: readonly PullResult[];
  readonly problems: readonly FileProblem[];
  readonly recorded: readonly string[];
  /** Paths that were to be recorded and stay pending, as a secret in them has changed since they were applied. */
  readonly left: readonly string[];
  readonly refused?: "differing files" | "undeclared placeholders";
}

export interface PullResult extends Pick<PulledFile, "path" | "text" | "resource"> {
  /** `new`, `differs`: not written. `unchanged`: it exists. `elsewhere`: another file makes the resource. */
  readonly state: FileState | "written" | "elsewhere";
  readonly madeBy?: PulledFile["madeBy"];
}

/** Reads everything before it writes; files with other content stay. @throws {PullError | MigrationFailedError} */
export async function pull(
  target: Target,
  which: PullOptions,
  options: ConnectionsOptions & RunOptions,
): Promise<PullReport> {
  const { connection } = target;
  const { dryRun = false, replace = false } = which;
  const { signal } = options;
  const session = await target.open(signal);
  try {
    const [cluster, search] = [CLUSTER.of(session), SEARCH.of(session)];
    if (!cluster || !search) {
      throw new PullError("Expected a search cluster to pull from", connection);
    }
    const executor = await session.executor();
    const { migrations: all, problems } = await existing(target, executor, options);
    const migrations = searchMigrations(all);
    const context = { cluster, connection: search.connection, migrations };
    const { files: live, ...rest } = await pullCluster(context, which);
    signal?.throwIfAborted();
    const files: PullResult[] = [];
    for (const file of live) files.push(await stateOf(file, connection, options));
    const found = {
      ...rest,
      connection,
      files,
      problems: problems.filter(({ path }) => !files.some((file) => file.path === path)),
      recorded: [],
      left: [],
    };
    const isUndeclared = which.baseline && rest.placeholders.some((one) => !one.isDeclared);
    if (!dryRun && isUndeclared) return { ...found, refused: "undeclared placeholders" };
    const differing = files.some(({ state }) => state === "differs");
    if (!dryRun && differing && !replace) return { ...found, refused: "differing files" };
    if (dryRun) return found;
    const written = await write(files, connection, options);
    if (!which.baseline || written.length === 0) return { ...found, files: written };
    const elsewhere = written.filter(({ state }) => state === "elsewhere").map(({ path }) => path);
    const pulled = new Map(
      live.filter(({ path }) => !elsewhere.includes(path)).map((file) => [file.path, file]),
    );
    const left: string[] = [];
    const recorded = await baseline(session, await filesOf(target, options), {
      pulled,
      onLeft: (path) => left.push(path),
    }, signal);
    return { ...found, files: written, recorded, left };
  } finally {
    await session.close();
  }
}

/** What there is already; a connection that is new has no folder. */
async function existing<M extends Parameters<Classifier["check"]>[0][number]>(
  target: Target<M>,
  classifier: Classifier<M>,
  options: ConnectionsOptions,
) {
  let files: readonly MigrationFile[] = [];
  try {
    files = await filesOf(target, options);
  } catch (error) {
    if (!(error instanceof MissingFolderError)) throw error;
  }
  return await classifyAll(classifier, files);
}

async function stateOf(
  { path, text, resource, madeBy }: PulledFile,
  connection: string,
  options: ConnectionsOptions,
): Promise<PullResult> {
  const file = { path, text, resource };
  if (madeBy && madeBy.path !== path) return { ...file, state: "elsewhere", madeBy };
  if (madeBy?.isSame) return { ...file, state: "unchanged" };
  const location = locationOf(connection, path, options);
  try {
    return { ...file, state: await fileStateOf(location, text, options.runtime) };
  } catch (error) {
    throw unwritable(connection, path, error, "Nothing was written");
  }
}

async function write(
  files: readonly PullResult[],
  connection: string,
  options: ConnectionsOptions,
): Promise<readonly PullResult[]> {
  return await writeFiles(
    files,
    ({ path }) => locationOf(connection, path, options),
    options.runtime,
    ({ path }, cause, done, total) => {
      const rest =
        `${done} of ${total} files are written, those before it; pull again for the rest`;
      return unwritable(connection, path, cause, rest);
    },
  );
}

function unwritable(connection: string, path: string, cause: unknown, rest: string): Error {
  const message = `Cannot write the file: ${errorOf(cause).message}\n  ${rest}`;
  return new MigrationFailedError(connection, path, message);
}
