import {
  type CommandOptions,
  filesIn,
  inEach,
  type MigrationType,
} from "../../migrations/commands.ts";
import {
  compareCodePoints,
  FeatureError,
  type FileIdentity,
  hashesOf,
  type MigrationFile,
  type Offering,
  type Session,
  type WorkProgress,
} from "../../migrations/runner/mod.ts";
import { awaited } from "../../migrations/sql/engines/shared/connections.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { SQL } from "../../migrations/sql/offers.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";
import { divide } from "./divide.ts";
import { loadBackfill } from "./file.ts";
import { SERVERS } from "./kind.ts";
import { type Progress, type Recorded, recordsOf } from "./records.ts";
import { type Context, planBackfill, type Run, runBackfill } from "./run.ts";
import type { BackfillState } from "./state.ts";

const EDITED =
  "it was changed since it began: undo that; under a new name it begins again, also with rows " +
  "that were changed already";

export type Action = "run" | "plan" | "status" | "pause" | "resume";

export interface BackfillStatus extends BackfillState {
  /** About how many rows or documents are left, and how long they take where that is known. */
  readonly plan?: { readonly keys: number; readonly durationMs?: number };
}

export async function workOnBackfills(
  type: MigrationType,
  action: Action,
  path: string | undefined,
  options: CommandOptions,
) {
  const none = path && `No enabled connection has a backfill '${path}'`;
  return await inEach(type, options, async (session, { target, files }) => {
    const { backfills } = await divide(await filesIn(target, options), session);
    const wanted = backfills.filter((file) => file.path === (path ?? file.path));
    if (path !== undefined && wanted.length === 0) return undefined;
    const { entries } = await session.journal.read(files.map(({ path }) => path), hashesOf(files));
    return await Array.fromAsync(wanted, async (file): Promise<BackfillStatus> => {
      const pending = files.find(({ path }) =>
        compareCodePoints(path, file.path) < 0 && !entries.get(path)?.applied
      )?.path;
      return await act(action, session, file, pending, options).catch(failOf(session.connection));
    });
  }, none);
}

async function act(
  action: Action,
  session: Session,
  file: MigrationFile,
  pending: string | undefined,
  options: CommandOptions,
): Promise<BackfillStatus> {
  const { path } = file;
  const refuse = (reason: string) =>
    new FeatureError(`Cannot ${action} '${path}': ${reason}`, session.connection);
  const onProgress = (progress: WorkProgress) =>
    options.onEvent?.({ type: "progress", connection: session.connection, file: path, progress });
  const open = SQL.of(session) ? openRows : (await import("./query.ts")).openQuery;
  const subject = await open(file, { session, signal: options.signal, onProgress, refuse });
  const recorded = await subject.read();
  const { hash } = subject.backfill;
  const now = statusOf(path, hash, recorded);
  const isRun = action === "run" || action === "plan";
  const isOver = now.state === "done" || (isRun && now.state === "paused");
  if (action === "status" || options.signal?.aborted || isOver) return now;
  const wrong = pending
    ? `'${pending}' is pending: run 'irori migrate' first`
    : now.isEdited && EDITED;
  const reason = isRun ? wrong : !recorded && "it has not begun";
  if (reason) throw refuse(reason);
  if (action === "plan") return { ...now, plan: await subject.plan(recorded?.progress) };
  await (isRun ? subject.run() : subject.pause(action === "pause"));
  return statusOf(path, hash, await subject.read());
}

async function openRows(file: MigrationFile, context: Context) {
  const { datasource, environment } = SQL.of(context.session)!;
  const backfill = await loadBackfill(file, datasource);
  const { path, table, column } = backfill;
  const records = recordsOf(context.session);
  const within = async <T>(work: (run: Run) => Promise<T>) => {
    await using server = await openServer(context.session);
    const key = await server.key(backfill);
    const refusal =
      `'${column}' must be NOT NULL and a unique key of '${table}' by itself: it is ` +
      "not, or there is no such table. MySQL and MariaDB need tables with transactions, and keys " +
      "that are not FLOAT, TIMESTAMP, ENUM, SET or BIT";
    if (!key) throw context.refuse(refusal);
    return await work({ ...context, backfill, server, key, records });
  };
  return {
    backfill,
    read: () => records.read(path),
    pause: (isPaused: boolean) =>
      within(({ server }) => server.change(records.pause(path, isPaused))),
    plan: (progress?: Progress) => within((run) => planBackfill(run, progress)),
    run: () => within((run) => lockAndRun(run, environment)),
  };
}

async function openServer(session: Offering) {
  const { datasource, environment } = SQL.of(session)!;
  return await SERVERS[datasource.engine ?? datasource.kind]!(datasource, environment);
}

async function lockAndRun(run: Run, environment: SqlEnvironment): Promise<void> {
  const { backfill: { path, hash }, records, server, signal } = run;
  const lock = async () => await server.tryLock(`${records.table} ${path}`) || undefined;
  await awaited(`another run of the backfill '${path}'`, lock, environment, signal);
  // An existing table wants no right to create one.
  if (!await records.rows()) {
    const sql = records.create(server.text);
    const how = `create the table yourself, or grant CREATE in its schema: ${sql}`;
    await server.query(sql).catch((error) => {
      const isRefused = error instanceof DatabaseError && error.kind === "refused";
      throw isRefused ? run.refuse(`${error.message}: ${how}`) : error;
    });
  }
  // Another run may have begun with another version of the file.
  const recorded = await records.read(path);
  const { state, isEdited } = statusOf(path, hash, recorded);
  if (isEdited && state !== "done") throw run.refuse(EDITED);
  await runBackfill(run, recorded?.progress);
}

function statusOf(file: string, hash: string, recorded?: Recorded): BackfillStatus {
  if (!recorded) return { file, state: "pending", round: 0, keys: 0, rows: 0 };
  const { isPaused, progress: { isDone, round, keys, rows, ...progress } } = recorded;
  const state = isDone ? "done" : isPaused ? "paused" : "begun";
  // Before its first batch it may be corrected.
  const isEdited = progress.hash !== hash && (keys > 0 || progress.roundRows > 0);
  return { file, state, round, keys, rows, ...(isEdited && { isEdited }) };
}

/**
 * Holds a file back until a backfill is recorded as done, or its table has no row, as in a new database.
 *
 * @returns why, or nothing
 */
export async function reasonToWait(
  path: string,
  { path: own, location }: FileIdentity,
  step: Offering,
): Promise<string | undefined> {
  const { datasource, environment: { files } } = SQL.of(step)!;
  const place = location.slice(0, -own.length) + path;
  if (!(await files.stat(place))?.isFile) return "which is not in the folder of the connection";
  if (compareCodePoints(path, own) > 0) return "whose name sorts behind it: rename either";
  const read = () => files.readFile(place);
  const { table } = await loadBackfill({ path, location: place, hash: "", read }, datasource);
  const recorded = await recordsOf(step).read(path);
  const notDone = `which is not done: run 'irori backfill run ${path}' first`;
  if (recorded) return recorded.progress.isDone ? undefined : notDone;
  await using server = await openServer(step);
  return await server.query(`SELECT 1 FROM ${table} LIMIT 1`).then(
    ([row]) => row && notDone,
    ({ message }) => `whose table '${table}' cannot be read: ${message}`,
  );
}
