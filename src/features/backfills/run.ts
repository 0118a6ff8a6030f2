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
const CHECK_EVERY_MS = 1000;

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
  const { backfill, signal } = run;
  const began = performance.now();
  let [progress, size, checkedAt] = [recorded, backfill.size, -Infinity];
  while (!progress?.isDone && !signal?.aborted) {
    try {
      if (performance.now() - checkedAt > CHECK_EVERY_MS) {
        await untilCalm(run);
        checkedAt = performance.now();
      }
      const started = performance.now();
      const next = await inTransaction(run, () => change(run, progress, size));
      if (!next) return;
      assertFewer(run, progress, next);
      progress = next;
      const isLong = performance.now() - started > LONG_BATCH_MS;
      size = isLong ? smaller(size) : Math.min(backfill.size, size * 2);
      const pace = (next.keys - (recorded?.keys ?? 0)) / (performance.now() - began);
      tell(run, workOf(run, next, pace));
      await wait(backfill.pauseMs, signal);
    } catch (error) {
      if (!(error instanceof DatabaseError) || !error.isLockFailure) {
        throw withRows(run, progress, size, error);
      }
      // Sessions that queue for the same rows get through, and the next batch holds fewer.
      size = smaller(size);
      tell(run, { message: "waiting for locks of other sessions" });
      await wait(Math.min(100 * backfill.size / size, LONGEST_PAUSE_MS), signal);
    }
  }
}

/** Waits while replicas are behind, or many sessions are running. */
async function untilCalm(run: Run): Promise<void> {
  const { backfill, server, signal } = run;
  while (!signal?.aborted) {
    const { lagMs, running } = await server.strain();
    if (lagMs <= backfill.lagMs && running <= backfill.load) return;
    const what = lagMs > backfill.lagMs
      ? "a replica that is behind"
      : `${running} running sessions`;
    tell(run, { message: `waiting for ${what}` });
    await wait(CHECK_EVERY_MS, signal);
  }
}

/** Changes the next batch and takes it back. */
export async function tryBatch(run: Run, progress: Partial<Progress> = {}) {
  return await inTransaction(run, async () => {
    const batch = await nextBatch(run, progress, run.backfill.size);
    const began = performance.now();
    const rows = batch ? await apply(run, progress.place, batch.upper) : 0;
    return { keys: batch?.keys ?? 0, rows, durationMs: performance.now() - began };
  }, "ROLLBACK").catch((error) => {
    throw withRows(run, progress, run.backfill.size, error);
  });
}

/** @param work gives nothing where it is to be taken back */
async function inTransaction<T>({ server }: Run, work: () => Promise<T>, end = "COMMIT") {
  await server.begin();
  try {
    const result = await work();
    await server.query(result === undefined ? "ROLLBACK" : end);
    return result;
  } catch (error) {
    await server.query("ROLLBACK").catch(() => {});
    throw error;
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
async function change(
  run: Run,
  progress: Progress | undefined,
  size: number,
): Promise<Progress | undefined> {
  if (!progress) return await begin(run);
  const { place, keys, round, rows, roundRows } = progress;
  const batch = await nextBatch(run, progress, size);
  if (batch) {
    const changed = await apply(run, place, batch.upper);
    return await record(run, progress, {
      place: batch.upper,
      keys: keys + batch.keys,
      rows: rows + changed,
      roundRows: roundRows + changed,
    });
  }
  const isLast = !run.backfill.repeats || roundRows === 0;
  const again = { round: round + 1, place: undefined, roundRows: 0, rowsBefore: roundRows };
  return await record(run, progress, isLast ? { isDone: true } : again);
}

/** @throws {MigrationFailedError} where rounds would never end */
function assertFewer(run: Run, from: Progress | undefined, { round }: Progress): void {
  if (!from || round === from.round || round === 2 || from.roundRows < from.rowsBefore) return;
  const message =
    `${from.roundRows} rows still match after they were changed, as many as in the round before: ` +
    "the change leaves the condition true, or the application writes such rows";
  throw failed(run, message);
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
  { backfill: { key: column, statement }, key: { literal }, server }: Run,
  lower: string | undefined,
  upper: string,
): Promise<number> {
  const above = lower === undefined ? "" : `${column} > ${literal(lower)} AND `;
  const sql = statement(`(${above}${column} <= ${literal(upper)})`);
  return await server.change({ sql, values: [] });
}

/** Makes a refusal name the rows of the batch, and its statement. */
function withRows(run: Run, from: Partial<Progress> = {}, size: number, error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== "refused") return error;
  const { backfill: { column, table }, key: { literal } } = run;
  const where = from.place === undefined ? "" : ` WHERE ${column} > ${literal(from.place)}`;
  const rows = `Its rows: SELECT * FROM ${table}${where} ORDER BY ${column} LIMIT ${size}`;
  const lines = [`The database refused a batch: ${error.message}`, ...error.hints, rows];
  return failed(run, lines.join("\n  "), error);
}

function failed({ backfill: { path, place }, session }: Run, message: string, cause?: Error) {
  return new MigrationFailedError(session.connection, path, message, { ...place, cause });
}

/** @param pace keys in a millisecond */
function workOf(
  { backfill, key }: Run,
  { keys: done, round }: Progress,
  pace: number,
): WorkProgress {
  const total = Math.max(key.rows * (backfill.repeats ? round : 1), done);
  const message = round > 1 ? `changing rows, round ${round}` : "changing rows";
  const speed = pace > 0 ? { rate: pace * 1000, leftMs: (total - done) / pace } : {};
  return { message, done, total, ...speed };
}
