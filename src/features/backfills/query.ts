import { MigrationFailedError, type MigrationFile, pause } from "../../migrations/runner/mod.ts";
import { type Answer, failureOf } from "../../migrations/search/cluster/answer.ts";
import { requestName } from "../../migrations/search/cluster/request.ts";
import { awaitTask, failureIn } from "../../migrations/search/cluster/tasks.ts";
import { Documents, type Found } from "../../migrations/search/journal/documents.ts";
import { LOCKS } from "../../migrations/search/journal/own_indices.ts";
import { idOf } from "../../migrations/search/journal/records.ts";
import { field, isObject, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { loadQuery, type Query } from "./query_file.ts";
import { type Progress, type Recorded, speedOf } from "./records.ts";
import type { Context } from "./run.ts";

const ROUND_PAUSE_MS = 1000;
const SAMPLE = 100;

type State = Recorded & Pick<Found, "version">;

export async function openQuery(file: MigrationFile, context: Context): Promise<Rounds> {
  const { cluster, connection } = searchSessionOf(context.session);
  const id = await idOf(connection.recordedAs ?? connection.name, file.path);
  const { request, ...query } = await loadQuery(file, { connection });
  const backfill = { ...query, request: { ...request, opaqueId: `irori-backfill-${id}` } };
  return new Rounds(backfill, id, new Documents(cluster, id), context);
}

/** A backfill of documents, by tasks of the cluster that outlive the run. Its record stands beside the locks. */
class Rounds {
  constructor(
    readonly backfill: Query & { readonly request: { readonly opaqueId: string } },
    private readonly id: string,
    private readonly documents: Documents,
    private readonly context: Context,
  ) {}

  async read(): Promise<State | undefined> {
    const { source, version } = await this.documents.readLock() ?? {};
    return source && version && { ...source as unknown as Recorded, version };
  }

  async pause(isPaused: boolean): Promise<void> {
    let state = await this.read();
    // A resume of one that is not paused allows the round that a run refuses.
    while (!isPaused && !state?.isPaused && state?.progress.rowsBefore) {
      state = await this.#record(state, { rowsBefore: 0 });
    }
    while (state?.isPaused !== isPaused) state = await this.#record(state, {}, isPaused);
    if (isPaused) await this.#stop(state);
  }

  async plan() {
    const { requestsPerSecond: rate } = this.backfill;
    const keys = await this.#count();
    return { keys, ...(rate && { durationMs: keys / rate * 1000 }) };
  }

  async run(): Promise<void> {
    let state = await this.read();
    while (!state?.progress.isDone && !state?.isPaused && !this.context.signal?.aborted) {
      const task = state?.progress.place ?? (await this.#tasks())[0]?.[0];
      state = await (task ? this.#endRound(state, task) : this.#beginRound(state));
    }
    if (state?.isPaused) await this.#stop(state);
  }

  async #beginRound(state: State | undefined): Promise<State | undefined> {
    const { round = 0, rowsBefore = 0 } = state?.progress ?? {};
    const found = await this.#count();
    const { hash } = this.backfill;
    if (found === 0) return await this.#record(state, { hash, isDone: true });
    if (rowsBefore > 0 && await this.#isLeft(state?.progress, found >= rowsBefore)) {
      throw this.#failed(
        `${found} documents match after a round for ${rowsBefore}: the change leaves the query ` +
          "true, or the application writes such documents; 'resume' allows another round",
      );
    }
    // Two tasks do no harm: each changes a document only as its search has found it.
    if (round > 0) await pause(ROUND_PAUSE_MS, this.context.signal).catch(() => {});
    const ids = await this.#ids();
    const begun = await this.#record(state, { hash, round: round + 1, roundRows: found, ids });
    // Another run, which was quicker to record it, is about to send the request.
    const isOther = begun?.progress.ids !== ids;
    if (isOther) await pause(ROUND_PAUSE_MS, this.context.signal).catch(() => {});
    if (isOther || this.context.signal?.aborted) return begun;
    const started = await this.#send(this.backfill.request);
    return await this.#record(begun, { place: String(field(started, "task")) });
  }

  async #endRound(state: State | undefined, task: string): Promise<State | undefined> {
    const { keys = 0, round = 1, rows = 0, roundRows = 0 } = state?.progress ?? {};
    const { signal } = this.context;
    const onLook = ({ json }: Answer) => this.#tell(task, json, round);
    const end = await awaitTask(this.documents.cluster, task, { signal, onLook });
    if ("goesOn" in end && end.goesOn) throw this.#failed(end.reason);
    const { isLost, reason, response } = outcomeOf(end, task);
    const { changed, conflicts, total } = countsIn([{ status: response }]);
    const next = await this.#record(state, {
      ...{ place: undefined, round, roundRows: 0, keys: keys + total, rows: rows + changed },
      // A run that was killed may not have recorded the task, and how many matched before it.
      rowsBefore: changed > 0 || (!reason && conflicts === 0) ? total || roundRows : 0,
      conflicts,
      // A round that was cut short leaves documents as they were.
      ...(reason && { ids: undefined }),
    });
    // A node that ended has lost it: what it has done shows whether another round does more.
    const goesOn = !reason || next?.isPaused || (isLost && await this.#count() < roundRows);
    if (!goesOn) throw this.#failed(reason);
    return next;
  }

  async #tell(task: string, look: unknown, round: number): Promise<void> {
    // The status of a task has only those of its slices that are over.
    const [, running] = (await this.#tasks()).find(([id]) => id === task) ?? [];
    const { total, done } = countsIn([running, ...listOf(field(running, "children"))]);
    if (total === 0) return;
    const pace = done / Number(field(look, "task", "running_time_in_nanos")) * 1e6;
    const message = `changing documents, round ${round}`;
    this.context.onProgress({ message, done, total, ...speedOf(total - done, pace) });
  }

  /** @returns the record after it, which a pause or another run may have written instead */
  async #record(
    state: State | undefined,
    change: Partial<Progress>,
    isPaused = state?.isPaused ?? false,
  ): Promise<State | undefined> {
    const counts = { round: 0, keys: 0, rows: 0, roundRows: 0, rowsBefore: 0 };
    const { backfill: { hash }, documents } = this;
    const progress = { hash, isDone: false, ...counts, ...state?.progress, ...change };
    const source = { isPaused, progress };
    if (!state) await documents.createIndices((await documents.read([])).missing);
    const expected = state?.version ?? "none";
    const [version] = await documents.write([{ index: LOCKS, id: this.id, source, expected }]);
    return version ? { ...source, version } : await this.read();
  }

  async #ids(): Promise<readonly unknown[]> {
    const { indices, query } = this.backfill;
    const path = `${indices}/_search?size=${SAMPLE}&_source=false`;
    const found = await this.#send({ method: "POST", path, body: JSON.stringify({ query }) });
    return listOf(field(found, "hits", "hits")).map((hit) => field(hit, "_id"));
  }

  /** Whether one that matched before a round does so after it, which new ones do not. */
  async #isLeft({ ids, conflicts = 0 }: Partial<Progress> = {}, areAsMany: boolean) {
    if (!ids) return areAsMany;
    const filter = [this.backfill.query, { ids: { values: ids } }];
    return await this.#count({ bool: { filter } }) > conflicts;
  }

  async #count(query: unknown = this.backfill.query): Promise<number> {
    const { indices } = this.backfill;
    await this.#send({ method: "POST", path: `${indices}/_refresh` });
    const body = JSON.stringify({ query });
    const counted = await this.#send({ method: "POST", path: `${indices}/_count`, body });
    if (field(counted, "_shards", "failed") === 0) return Number(field(counted, "count"));
    throw this.#failed(`some shards of '${indices}' cannot be searched`);
  }

  /** By id, also those that a run did not come to record. */
  async #tasks() {
    const path = "/_tasks?actions=*byquery&detailed&group_by=parents";
    return Object.entries(objectOf(field(await this.#send({ method: "GET", path }), "tasks")))
      .filter(([, task]) =>
        field(task, "headers", "X-Opaque-Id") === this.backfill.request.opaqueId
      );
  }

  async #stop(state: State): Promise<void> {
    const tasks = await this.#tasks();
    for (const [task] of tasks) {
      const path = `/_tasks/${task}/_cancel?wait_for_completion=true`;
      // It may be over by now: only a missing right is an error.
      await this.documents.cluster.send({ method: "POST", path }, { repeatSafe: true });
    }
    const task = state.progress.place ?? tasks[0]?.[0];
    if (task) await this.#endRound(state, task);
  }

  async #send(request: SearchRequest): Promise<unknown> {
    const { context: { signal }, documents: { cluster } } = this;
    const answer = await cluster.send(request, { repeatSafe: true, signal });
    const failure = failureOf(request, answer);
    if (!failure) return answer.json;
    throw this.#failed(`${answer.host} refused ${requestName(request)}: ${failure.reason}`);
  }

  #failed(reason: string): MigrationFailedError {
    const { backfill: { path }, context: { session } } = this;
    return new MigrationFailedError(
      session.connection,
      path,
      this.documents.cluster.redact(reason),
    );
  }
}

function outcomeOf(end: Awaited<ReturnType<typeof awaitTask>>, task: string) {
  if (!("ended" in end)) return { isLost: true, reason: end.reason };
  const { error, response } = objectOf(end.ended.json);
  const reason = field(response, "timed_out") ? "it timed out" : failureIn(end.ended, task)?.reason;
  return { isLost: false, reason: reason && reason + causeOf(error), response };
}

/** @param parts have a status each: a task, its slices and its response */
function countsIn(parts: readonly unknown[]) {
  const sum = (name: string) =>
    parts.reduce((all: number, part) => all + Number(field(part, "status", name) ?? 0), 0);
  const changed = sum("updated") + sum("deleted");
  const conflicts = sum("version_conflicts");
  return { total: sum("total"), changed, conflicts, done: changed + sum("noops") + conflicts };
}

/** The innermost cause, which alone says anything. */
function causeOf(error: unknown): string {
  const shard = field(listOf(field(error, "failed_shards"))[0], "reason");
  const cause = [field(error, "caused_by"), shard].find(isObject);
  return cause ? causeOf(cause) || `; caused by ${cause.type}: ${cause.reason}` : "";
}
