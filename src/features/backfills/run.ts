import {
  type FeatureError,
  MigrationFailedError,
  pause,
  type Session,
  type WorkProgress,
} from "../../migrations/runner/mod.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { lostLock } from "../../migrations/sql/engines/shared/own_errors.ts";
import type { Backfill } from "./file.ts";
import { type Progress, type Records, speedOf } from "./records.ts";
import type { Key, Server } from "./server.ts";

const LONG_BATCH_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
const CHECK_EVERY_MS = 1000;

const USUAL_LAG_MS = 10_000;
const UNSEEN = "the user cannot see the load and the lag that it asks for, as 'pg_monitor' can; " +
  "grant that role, or leave out 'load' and 'lag'";

const STILL =
  "rows still match after they were changed: the change leaves the condition true, or the application writes " +
  "such rows. The key of the first is";

/** Where a backfill of rows or of documents runs. */
export interface Context {
  readonly session: Session;
  readonly signal?: AbortSignal | undefined;
  onProgress(progress: WorkProgress): void;
  /** An error for a state in which nothing can be done. */
  refuse(reason: string): FeatureError;
}

export interface Run extends Context {
  readonly backfill: Backfill;
  readonly server: Server;
  readonly key: Key;
  readonly records: Records;
}

/** Goes on from the recorded place until nothing is left, it is paused, or the run is stopped. */
export async function runBackfill(run: Run, recorded: Progress | undefined): Promise<void> {
  const { backfill, signal } = run;
  const began = performance.now();
  let [progress, size, checkedAt] = [recorded, firstSize(backfill), -Infinity];
  let [wasLong, failures] = [false, 0];
  while (!progress?.isDone && !signal?.aborted) {
    if (progress && performance.now() + backfill.pauseMs - checkedAt > CHECK_EVERY_MS) {
      if (!await isCalm(run)) return;
      checkedAt = performance.now();
    }
    try {
      const started = performance.now();
      const next = await inTransaction(run, () => change(run, progress, size));
      if (!next) return;
      const isChange = next.keys > (progress?.keys ?? 0);
      progress = next;
      const isLong = performance.now() - started > LONG_BATCH_MS;
      tellRound(run, next, (next.keys - (recorded?.keys ?? 0)) / (performance.now() - began));
      if (!isChange) continue;
      size = isLong ? smaller(size) : larger(size, wasLong, backfill);
      wasLong ||= isLong;
      failures = 0;
      await rest(backfill.pauseMs, run);
    } catch (error) {
      if (!(error instanceof DatabaseError) || !error.isLockFailure) {
        throw withRows(run, progress, size, error);
      }
      // Sessions that queue for the same rows get through, and the next batch holds fewer.
      size = smaller(size);
      run.onProgress({ message: "waiting for locks of other sessions" });
      await rest(Math.min(200 * 2 ** failures++, LONGEST_PAUSE_MS), run);
    }
  }
}

/** Waits while replicas are behind, or many sessions are running. @returns whether it may go on then */
async function isCalm(run: Run): Promise<boolean> {
  const { backfill: { path, lagMs, load }, records, server, signal } = run;
  while (!signal?.aborted) {
    // This keeps the session of the history from being ended as an idle one, too.
    if ((await records.read(path))?.isPaused) return false;
    const strain = await server.strain();
    if (!strain && (lagMs ?? load) !== undefined) {
      throw run.refuse(UNSEEN);
    }
    const { lagMs: lag, running } = strain ?? { lagMs: 0, running: 0 };
    const isBehind = lag > (lagMs ?? USUAL_LAG_MS);
    if (!isBehind && running <= (load ?? Infinity)) return true;
    const what = isBehind ? "a replica that is behind" : `${running} running sessions`;
    run.onProgress({ message: `waiting for ${what}` });
    await wait(CHECK_EVERY_MS, run);
  }
  return false;
}

/** Changes the next batch and takes it back. @returns about how many keys are left, and how long they take */
export async function planBackfill(run: Run, progress: Partial<Progress> = {}) {
  const { backfill } = run;
  const size = firstSize(backfill);
  const began = performance.now();
  const keys = await inTransaction(run, async () => {
    const batch = await readBatch(run, progress, size);
    if (batch) await apply(run, progress.place, batch.upper);
    return batch?.keys ?? 0;
  }, "ROLLBACK").catch((error) => {
    throw withRows(run, progress, size, error);
  });
  const batchMs = performance.now() - began;
  const left = keys < size
    ? keys
    : Math.max(keysUntil(run, progress.round) - (progress.keys ?? 0), keys);
  const pausesMs = left / backfill.size * backfill.pauseMs;
  return { keys: left, durationMs: left / Math.max(1, keys) * batchMs + pausesMs };
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

/** The first batches are small ones, as a trigger may take its time for each row. */
function firstSize({ size }: Backfill): number {
  return Math.ceil(size / 16);
}

function smaller(size: number): number {
  return Math.max(1, size >> 1);
}

/** @param wasLong whether a batch took long: twice the size would take as long again */
function larger(size: number, wasLong: boolean, { size: most }: Backfill): number {
  return Math.min(most, wasLong ? size + Math.ceil(most / 64) : size * 2);
}

/** Pauses. The looks in between keep the sessions from being ended as idle ones, and see a 'pause'. */
async function rest(ms: number, run: Run): Promise<void> {
  const end = performance.now() + ms;
  while (ms > 0) {
    await wait(Math.min(ms, CHECK_EVERY_MS), run);
    ms = end - performance.now();
    if (ms > 0 && !await isCalm(run)) return;
  }
}

/** A signal ends the pause, and the loop after it. */
async function wait(ms: number, { signal }: Run): Promise<void> {
  if (ms > 0) await pause(ms, signal).catch(() => {});
}

/** @param edited what is recorded of a file that was changed before its first batch */
async function begin(run: Run, edited?: Progress): Promise<Progress | undefined> {
  const { hash, path, repeats } = run.backfill;
  const until = repeats ? undefined : (await readBatch(run, {}, 1, "DESC"))?.upper;
  const counts = { round: 1, keys: 0, rows: 0, roundRows: 0, rowsBefore: 0 };
  const progress = { hash, isDone: !repeats && until === undefined, until, ...counts };
  if (edited) return await record(run, edited, progress);
  await run.server.change(run.records.insert(path, progress));
  return progress;
}

/** @returns nothing when it is paused @throws {DatabaseError} when another run is at work, too */
async function change(
  run: Run,
  progress: Progress | undefined,
  size: number,
): Promise<Progress | undefined> {
  if (progress?.hash !== run.backfill.hash) return await begin(run, progress);
  const { backfill: { deletes, repeats }, server } = run;
  const { place, keys, round, rows, roundRows, first } = progress;
  const batch = await readBatch(run, progress, size);
  if (batch) {
    const changed = await apply(run, place, batch.upper);
    const isAgain = !deletes && round > 1 && roundRows === 0 && changed > 0;
    if (isAgain && batch.keys > 1) {
      // The first row by itself has a key to compare: new rows may have come in the meantime.
      await server.query("ROLLBACK");
      await server.begin();
      return await change(run, progress, smaller(batch.keys));
    }
    if (isAgain && batch.upper === first) throw failed(run, `${STILL} ${batch.upper}`);
    return await record(run, progress, {
      first: isAgain ? batch.upper : first,
      place: batch.upper,
      keys: keys + batch.keys,
      rows: rows + changed,
      roundRows: roundRows + changed,
    });
  }
  const again = { round: round + 1, place: undefined, roundRows: 0 };
  return await record(run, progress, !repeats || roundRows === 0 ? { isDone: true } : again);
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

/** The last key of a batch, and how many it has. */
async function readBatch(run: Run, { place, until }: Partial<Progress>, size: number, order = "") {
  const { backfill, key, server } = run;
  const column = `irori_rows.${backfill.column}`;
  const range = rangeOf(run, column, place, until);
  const rows = `FROM ${backfill.table} irori_rows WHERE ${range} ORDER BY ${column} ${order}`;
  const [full] = await server.query(
    `SELECT ${key.text(column)} AS upper_key ${rows} LIMIT 1 OFFSET ${size - 1}`,
  );
  if (full) return { upper: `${full.upper_key}`, keys: size };
  const [row] = await server.query(
    `SELECT ${key.text("k")} AS upper_key, COUNT(*) OVER () AS found ` +
      `FROM (SELECT ${column} AS k ${rows} LIMIT ${size}) irori_keys ORDER BY k DESC LIMIT 1`,
  );
  return row && { upper: `${row.upper_key}`, keys: Number(row.found) };
}

/** A condition for the keys behind one and up to another. */
function rangeOf({ key: { literal } }: Run, column: string, lower?: string, upper?: string) {
  const above = lower !== undefined && `${column} > ${literal(lower)}`;
  const below = upper !== undefined && `${column} <= ${literal(upper)}`;
  return [above, below].filter(Boolean).join(" AND ") || "1 = 1";
}

async function apply(run: Run, lower: string | undefined, upper: string): Promise<number> {
  const { backfill: { key, statement }, server } = run;
  const sql = statement(`(${rangeOf(run, key, lower, upper)})`);
  return await server.change({ sql, values: [] });
}

/** Makes a refusal name the rows of the batch, and its statement. */
function withRows(run: Run, from: Partial<Progress> = {}, size: number, error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== "refused") return error;
  const { backfill: { column, table } } = run;
  const rows = `Its rows: SELECT * FROM ${table} WHERE ${rangeOf(run, column, from.place)} ` +
    `ORDER BY ${column} LIMIT ${size}`;
  const lines = [`The database refused a batch: ${error.message}`, ...error.hints, rows];
  return failed(run, lines.join("\n  "), error);
}

function failed({ backfill: { path, place }, session }: Run, message: string, cause?: Error) {
  return new MigrationFailedError(session.connection, path, message, { ...place, cause });
}

/** About how many keys are read up to the end of a round. */
function keysUntil({ backfill, key }: Run, round = 1): number {
  return key.rows * (backfill.repeats ? round : 1);
}

function tellRound(run: Run, { isDone, keys: done, round }: Progress, pace: number): void {
  const total = isDone ? done : Math.max(keysUntil(run, round), done);
  const message = round > 1 ? `changing rows, round ${round}` : "changing rows";
  run.onProgress({ message, done, total, ...speedOf(total - done, pace) });
}
