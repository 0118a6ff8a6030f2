import { type CommandOptions, filesIn, inEach } from "../../migrations/commands.ts";
import {
  compareCodePoints,
  FeatureError,
  type FileIdentity,
  hashesOf,
  type MigrationFile,
  type Offering,
  type Session,
} from "../../migrations/runner/mod.ts";
import { awaited } from "../../migrations/sql/engines/shared/connections.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { DATABASE, SQL } from "../../migrations/sql/offers.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";
import { type Backfill, divide, loadBackfill } from "./file.ts";
import { type Progress, type Recorded, recordsOf } from "./records.ts";
import { type Run, runBackfill, tryBatch } from "./run.ts";
import type { OpenServer } from "./server.ts";

const SERVERS: Readonly<Record<string, () => Promise<{ readonly openServer: OpenServer }>>> = {
  postgresql: () => import("./postgresql.ts"),
  mysql: () => import("./mysql.ts"),
};

export type Action = "run" | "plan" | "status" | "pause" | "resume";

export interface BackfillStatus extends Partial<Pick<Progress, "round" | "keys" | "rows">> {
  readonly file: string;
  readonly state: "pending" | "running" | "paused" | "done";
  /** By one batch that was taken back: about how long the rest takes. */
  readonly plan?: Awaited<ReturnType<typeof planOf>>;
}

export async function workOnBackfills(
  action: Action,
  path: string | undefined,
  options: CommandOptions,
) {
  const none = path && `No enabled connection has a backfill '${path}'`;
  return await inEach("sql", options, async (session, { target, files }) => {
    const { backfills } = await divide(await filesIn(target, options), SQL.of(session)!);
    const wanted = backfills.filter((file) => file.path === (path ?? file.path));
    if (path !== undefined && wanted.length === 0) return undefined;
    const { entries } = await session.journal.read(files.map(({ path }) => path), hashesOf(files));
    const pending = files.filter(({ path }) => !entries.get(path)?.applied);
    return await Array.fromAsync(wanted, async (file): Promise<BackfillStatus> => {
      const before = pending.find(({ path }) => compareCodePoints(path, file.path) < 0)?.path;
      return await act(action, session, file, before, options).catch(failOf(session.connection));
    });
  }, none);
}

async function act(
  action: Action,
  session: Session,
  file: MigrationFile,
  before: string | undefined,
  options: CommandOptions,
): Promise<BackfillStatus> {
  const { datasource, environment } = SQL.of(session)!;
  const backfill = await loadBackfill(file, SQL.of(session)!);
  const refuse = (reason: string) =>
    new FeatureError(`Cannot ${action} '${file.path}': ${reason}`, session.connection);
  const load = SERVERS[datasource.engine ?? datasource.kind];
  if (!load) throw refuse("expected PostgreSQL, MySQL or MariaDB");
  const records = recordsOf(session);
  const recorded = await records.read(file.path);
  const now = statusOf(file.path, recorded);
  const isRun = action === "run" || action === "plan";
  const isOver = now.state === "done" || (isRun && now.state === "paused");
  if (action === "status" || options.signal?.aborted || isOver) return now;
  const reason = reasonAgainst(isRun, backfill, recorded, before);
  if (reason) throw refuse(reason);
  const server = await (await load()).openServer(datasource, environment);
  try {
    if (!isRun) {
      await server.change(records.pause(file.path, action === "pause"));
      return statusOf(file.path, await records.read(file.path));
    }
    const { table, column } = backfill;
    const key = await server.key(table, column);
    if (!key) throw refuse(`'${column}' ${NO_KEY} '${table}' by itself`);
    const run = { backfill, server, key, records, session, ...options };
    if (action === "plan") return { ...now, plan: await planOf(run, recorded?.progress) };
    await lockAndRun(run, environment);
    return statusOf(file.path, await records.read(file.path));
  } finally {
    await server.close();
  }
}

async function lockAndRun(run: Run, environment: SqlEnvironment): Promise<void> {
  const { backfill: { path }, records, server, signal } = run;
  const lock = async () => await server.tryLock(`${records.table} ${path}`) || undefined;
  await awaited(`another run of the backfill '${path}'`, lock, environment, signal);
  await server.query(records.create(server.text));
  await runBackfill(run, (await records.read(path))?.progress);
}

function reasonAgainst(
  isRun: boolean,
  { hash }: Backfill,
  recorded: Recorded | undefined,
  before: string | undefined,
): string | undefined {
  if (!isRun) return recorded ? undefined : "it has not begun";
  if (before !== undefined) return `'${before}' is pending: run 'irori migrate' first`;
  return recorded && recorded.progress.hash !== hash ? CHANGED : undefined;
}

const CHANGED = "it was changed since it began: undo that, or give it a new name to begin again";
const NO_KEY = "must be NOT NULL and, in a table with transactions, a unique key of";

function statusOf(file: string, recorded: Recorded | undefined): BackfillStatus {
  if (!recorded) return { file, state: "pending" };
  const { isPaused, progress: { isDone, round, keys, rows } } = recorded;
  const state = isDone ? "done" : isPaused ? "paused" : "running";
  return { file, state, round, keys, rows };
}

async function planOf(run: Run, progress: Progress | undefined) {
  const batch = await tryBatch(run, progress);
  const keys = Math.max(run.key.rows - (progress?.keys ?? 0), batch.keys);
  const batchMs = batch.durationMs + run.backfill.pauseMs;
  return { keys, durationMs: keys / Math.max(1, batch.keys) * batchMs, batch };
}

/** Whether a backfill is recorded as done, or its table has no row, as in a new database. */
export async function isDone(path: string, { path: own, location }: FileIdentity, step: Offering) {
  const recorded = await recordsOf(step).read(path);
  if (recorded) return recorded.progress.isDone;
  const sql = SQL.of(step)!;
  const { files } = sql.environment;
  const place = location.slice(0, -own.length) + path;
  if (!(await files.stat(place))?.isFile) return false;
  const read = () => files.readFile(place);
  const { table } = await loadBackfill({ path, location: place, hash: "", read }, sql);
  return (await DATABASE.of(step)!.query(`SELECT 1 FROM ${table} LIMIT 1`)).rows.length === 0;
}
