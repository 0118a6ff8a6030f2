import { join } from "../../runtime/path.ts";
import { errorOf } from "../../text/mod.ts";
import { type ConnectionsOptions, filesOf, folderOf } from "../../migrations/connections.ts";
import { SEARCH, searchMigrations, searchSessionOf } from "../../migrations/search/offers.ts";
import { type FileState, fileStateOf, writeFiles } from "./file_state.ts";
import {
  baseline,
  classifyAll,
  type FileProblem,
  MigrationFailedError,
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

interface PullOptions extends PullSelection {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly baseline?: boolean;
}

export interface PullReport extends Omit<Pulled, "files"> {
  readonly connection: string;
  readonly files: readonly PullResult[];
  readonly problems: readonly FileProblem[];
  readonly recorded: readonly string[];
  /** Paths that were to be recorded and stay pending, as a secret in them has, or may have, changed since they were applied. */
  readonly left: readonly string[];
  readonly refused?: "differing files" | "undeclared placeholders";
}

export interface PullResult extends PulledFile {
  /** `new`, `differs`: not written. `unchanged`: it exists. `elsewhere`: another file makes the resource, `madeBy`. */
  readonly state: FileState | "written" | "elsewhere";
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
  const folder = await folderOf(target, options);
  const session = await target.open(signal);
  try {
    if (!SEARCH.of(session)) {
      throw new PullError("Expected a search cluster to pull from", connection);
    }
    const executor = await session.executor();
    const there = await filesOf(target, options).catch((error) => {
      if (error instanceof MissingFolderError) return [];
      throw error;
    });
    const { migrations, problems } = await classifyAll(executor, there);
    const context = { ...searchSessionOf(session), migrations: searchMigrations(migrations) };
    const { files: live, ...rest } = await pullCluster(context, which);
    signal?.throwIfAborted();
    const files: PullResult[] = [];
    // A cluster of a fleet has files in a folder of its own, too.
    const place = ({ path }: PulledFile) =>
      there.find((file) => file.path === path)?.location ?? join(folder, path);
    for (const file of live) {
      files.push(await stateOf(file, { connection, place: place(file) }, options));
    }
    const found = {
      ...rest,
      connection,
      files,
      problems: problems.filter(({ path }) => !files.some((file) => file.path === path)),
      recorded: [],
      left: [],
    };
    if (dryRun) return found;
    const isUndeclared = which.baseline && rest.placeholders.some((one) => !one.isDeclared);
    if (isUndeclared) return { ...found, refused: "undeclared placeholders" };
    const differing = files.some(({ state }) => state === "differs");
    if (differing && !replace) return { ...found, refused: "differing files" };
    const written = await writeFiles(files, place, options.runtime, (file, cause, done, all) => {
      const rest = `${done} of ${all} files are written, those before it; pull again for the rest`;
      return unwritable(connection, file.path, cause, rest);
    });
    if (!which.baseline || written.length === 0) return { ...found, files: written };
    const own = written.filter(({ state }) => state !== "elsewhere");
    const pulled = new Map(own.map((file) => [file.path, file]));
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

async function stateOf(
  { madeBy, ...file }: PulledFile,
  { connection, place }: { readonly connection: string; readonly place: string },
  options: ConnectionsOptions,
): Promise<PullResult> {
  const { path, text } = file;
  if (madeBy && madeBy.path !== path) return { ...file, state: "elsewhere", madeBy };
  if (madeBy?.isSame) return { ...file, state: "unchanged" };
  try {
    return { ...file, state: await fileStateOf(place, text, options.runtime) };
  } catch (error) {
    throw unwritable(connection, path, error, "Nothing was written");
  }
}

function unwritable(connection: string, path: string, cause: unknown, rest: string): Error {
  const message = `Cannot write the file: ${errorOf(cause).message}\n  ${rest}`;
  return new MigrationFailedError(connection, path, message);
}
