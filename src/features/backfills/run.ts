import {
  MigrationFailedError,
  pause,
  type RunOptions,
  type Session,
  type WorkProgress,
} from "../../migrations/runner/mod.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { lostLock } from "../../migrations/sql/engines/shared/own_errors.ts";
import type { Backfill } from "./file.ts";
import type { Progress, Records } from "./records.ts";
import type { Key, Server } from "./server.ts";

const LONG_BATCH_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
const LAG_EVERY_MS = 1000;

export interface Run extends Pick<RunOptions, "onEvent" | "signal"> {
  readonly session: Session;
  readonly backfill: Backfill;
  readonly server: Server;
  readonly key: Key;
  readonly records: Records;
}

interface Batch {
  /** The last key of it. */
  readonly upper: string;
  readonly keys: number;
}

/** Goes on from the recorded place until nothing is left, it is paused, or the run is stopped. */
export async function runBackfill(run: Run, recorded: Progress | undefined): Promise<void> {
  const { backfill, server, signal } = run;
  const first = recorded ?? await begin(run);
  const began = performance.now();
  let [size, lagAt] = [backfill.size, 0];
  for (let progress = first; !progress.isDone && !signal?.aborted;) {
    const started = performance.now();
    try {
      const batch = await nextBatch(run, progress, size);
      const next = batch ? await change(run, progress, batch) : await endRound(run, progress);
      if (!next) return;
      progress = next;
      const isLong = performance.now() - started > LONG_BATCH_MS;
      size = isLong ? smaller(size) : Math.min(backfill.size, size * 2);
      tell(run, workOf(run, progress, (progress.keys - first.keys) / (performance.now() - began)));
      await wait(backfill.pauseMs, signal);
    } catch (error) {
      if (!(error instanceof DatabaseError) || !error.isLockFailure) throw error;
      // Sessions that queue for the same rows get through, and the next batch holds fewer.
      size = smaller(size);
      tell(run, { message: "waiting for locks of other sessions" });
      await wait(Math.min(100 * backfill.size / size, LONGEST_PAUSE_MS), signal);
    }
    while (performance.now() - lagAt > LAG_EVERY_MS && !signal?.aborted) {
      lagAt = performance.now();
      if (await server.lag() <= backfill.lagMs) break;
      tell(run, { message: "waiting for a replica that is behind" });
      await wait(LAG_EVERY_MS, signal);
    }
  }
}

/** Changes the next batch and takes it back. */
export async function tryBatch(run: Run, progress: Partial<Progress> = {}) {
  const batch = await nextBatch(run, progress, run.backfill.size);
  const began = performance.now();
  await run.server.query("BEGIN");
  try {
    const rows = batch ? await apply(run, progress.place, batch.upper) : 0;
    return { keys: batch?.keys ?? 0, rows, durationMs: performance.now() - began };
  } finally {
    await run.server.query("ROLLBACK");
  }
}

function tell({ backfill, onEvent, session }: Run, progress: WorkProgress): void {
  onEvent?.({ type: "progress", connection: session.connection, file: backfill.path, progress });
}

function smaller(size: number): number {
  return Math.max(1, size >> 1);
}

/** A signal ends the pause, and the loop after it. */
async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms > 0 && !signal?.aborted) await pause(ms, signal).catch(() => {});
}

async function begin(run: Run): Promise<Progress> {
  const { hash, path, repeats } = run.backfill;
  const until = repeats ? undefined : (await keysOf(run, "", 1, "DESC"))?.upper;
  const counts = { round: 1, keys: 0, rows: 0, roundRows: 0, rowsBefore: 0 };
  const progress = { hash, isDone: !repeats && until === undefined, until, ...counts };
  await run.server.change(run.records.insert(path, progress));
  return progress;
}

/** @returns nothing when it is paused @throws {DatabaseError} when another run is at work, too */
async function change(run: Run, progress: Progress, { upper, keys }: Batch) {
  const { query } = run.server;
  // The rows and the place are one transaction.
  await query("BEGIN");
  try {
    const rows = await apply(run, progress.place, upper);
    const next = await record(run, progress, {
      place: upper,
      keys: progress.keys + keys,
      rows: progress.rows + rows,
      roundRows: progress.roundRows + rows,
    });
    await query(next ? "COMMIT" : "ROLLBACK");
    return next;
  } catch (error) {
    await query("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function endRound(run: Run, progress: Progress): Promise<Progress | undefined> {
  const { backfill: { path, place, repeats }, session } = run;
  const { round, roundRows, rowsBefore } = progress;
  if (!repeats || roundRows === 0) return await record(run, progress, { isDone: true });
  const again = { round: round + 1, place: undefined, roundRows: 0, rowsBefore: roundRows };
  const next = await record(run, progress, again);
  if (round === 1 || roundRows < rowsBefore || !next) return next;
  const message =
    `${roundRows} rows still match after they were changed, as many as in the round before: ` +
    "the change leaves the condition true, or the application writes such rows";
  throw new MigrationFailedError(session.connection, path, message, place);
}

/** @returns nothing when it is paused */
async function record(
  { backfill: { path }, records, server }: Run,
  from: Progress,
  changes: Partial<Progress>,
): Promise<Progress | undefined> {
  const to = { ...from, ...changes };
  if (await server.change(records.update(path, from, to)) === 1) return to;
  if ((await records.read(path))?.isPaused) return undefined;
  throw lostLock(`another run of '${path}' is at work`);
}

async function nextBatch(run: Run, { place, until }: Partial<Progress>, size: number) {
  const { backfill: { column }, key: { literal } } = run;
  const lower = place === undefined ? "1 = 1" : `${column} > ${literal(place)}`;
  const upper = until === undefined ? "" : ` AND ${column} <= ${literal(until)}`;
  return await keysOf(run, `WHERE ${lower}${upper}`, size);
}

async function keysOf(
  { backfill: { column, table }, key, server }: Run,
  where: string,
  size: number,
  direction = "",
): Promise<Batch | undefined> {
  const order = `ORDER BY ${column} ${direction} LIMIT ${size}`;
  const [row] = await server.query(
    `SELECT ${key.text("k")} AS upper_key, COUNT(*) OVER () AS found ` +
      `FROM (SELECT ${column} AS k FROM ${table} ${where} ${order}) irori_keys ORDER BY k DESC LIMIT 1`,
  );
  return row && { upper: `${row.upper_key}`, keys: Number(row.found) };
}

async function apply(
  { backfill: { key: column, path, place, statement }, key: { literal }, session, server }: Run,
  lower: string | undefined,
  upper: string,
): Promise<number> {
  const above = lower === undefined ? "" : `${column} > ${literal(lower)} AND `;
  const sql = statement(`(${above}${column} <= ${literal(upper)})`);
  return await server.change({ sql, values: [] }).catch((error) => {
    const isRefused = error instanceof DatabaseError && error.kind === "refused";
    if (!isRefused || error.isLockFailure) throw error;
    const message = [`The database refused a batch: ${error.message}`, ...error.hints].join("\n  ");
    throw new MigrationFailedError(session.connection, path, message, { ...place, cause: error });
  });
}

/** @param pace keys in a millisecond */
function workOf(
  { backfill, key }: Run,
  { keys: done, round }: Progress,
  pace: number,
): WorkProgress {
  const total = Math.max(key.rows * (backfill.repeats ? round : 1), done);
  const message = round > 1 ? `changing rows, round ${round}` : "changing rows";
  return { message, done, total, rate: pace * 1000, leftMs: (total - done) / pace };
}
