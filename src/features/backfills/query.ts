import { MigrationFailedError, type MigrationFile } from "../../migrations/runner/mod.ts";
import { failureOf } from "../../migrations/search/cluster/answer.ts";
import { awaitTask, followTask } from "../../migrations/search/cluster/tasks.ts";
import { Documents, type Found } from "../../migrations/search/journal/documents.ts";
import { LOCKS } from "../../migrations/search/journal/own_indices.ts";
import { idOf } from "../../migrations/search/journal/records.ts";
import { field, isObject, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { loadQuery } from "./query_file.ts";
import type { Progress, Recorded } from "./records.ts";
import type { Run } from "./run.ts";

const SAFE = { repeatSafe: true };

type State = Recorded & Pick<Found, "version">;

/** A backfill of documents, by tasks of the cluster that outlive the run. Its record stands beside the locks. */
export async function openQuery(
  file: MigrationFile,
  { onEvent, session, signal }: Pick<Run, "onEvent" | "session" | "signal">,
) {
  const { cluster, connection } = searchSessionOf(session);
  const { name, recordedAs = name } = connection;
  const backfill = await loadQuery(file, { connection });
  const { hash, indices, path, query, requestsPerSecond, request } = backfill;
  const id = await idOf(recordedAs, path);
  const documents = new Documents(cluster, id);
  const opaqueId = `irori-backfill-${id}`;
  const failed = (reason: string) => new MigrationFailedError(name, path, cluster.redact(reason));

  async function send(method: string, path: string, more: Partial<SearchRequest> = {}) {
    const request = { ...more, method, path };
    const answer = await cluster.send(request, { ...SAFE, signal });
    const failure = failureOf(request, answer);
    if (failure) throw failed(`${answer.host} refused ${method} ${path}: ${failure.reason}`);
    return answer.json;
  }

  async function read(): Promise<State | undefined> {
    const { source, version } = await documents.readLock() ?? {};
    return source && version && { ...source as unknown as Recorded, version };
  }

  /** @returns the record after it, which a pause or another run may have written instead */
  async function record(
    state: State | undefined,
    change: Partial<Progress>,
    isPaused = state?.isPaused ?? false,
  ) {
    const counts = { round: 0, keys: 0, rows: 0, roundRows: 0, rowsBefore: 0 };
    const progress = { hash, isDone: false, ...counts, ...state?.progress, ...change };
    const source = { isPaused, progress };
    if (!state) await documents.createIndices((await documents.read([])).missing);
    const expected = state?.version ?? "none";
    const [version] = await documents.write([{ index: LOCKS, id, source, expected }]);
    return version ? { ...source, version } : await read();
  }

  async function count(): Promise<number> {
    await send("POST", `${indices}/_refresh`);
    const counted = await send("POST", `${indices}/_count`, { body: JSON.stringify({ query }) });
    if (field(counted, "_shards", "failed") === 0) return Number(field(counted, "count"));
    throw failed(`some shards of '${indices}' cannot be searched`);
  }

  /** Also those that a run did not come to record. */
  async function runningTasks(): Promise<readonly string[]> {
    const nodes = objectOf(field(await send("GET", "/_tasks?actions=*byquery&detailed"), "nodes"));
    return Object.values(nodes)
      .flatMap((node) => Object.entries(objectOf(field(node, "tasks"))))
      .filter(([, task]) => field(task, "headers", "X-Opaque-Id") === opaqueId)
      .map(([id, task]) => String(field(task, "parent_task_id") ?? id));
  }

  async function cancelTasks(): Promise<void> {
    for (const task of new Set(await runningTasks())) {
      // It may be over by now: only a missing right is an error.
      const path = `/_tasks/${task}/_cancel?wait_for_completion=true`;
      await cluster.send({ method: "POST", path }, SAFE);
    }
  }

  async function beginRound(state: State | undefined) {
    const { round = 0, rowsBefore = 0 } = state?.progress ?? {};
    const found = await count();
    if (found === 0) return await record(state, { isDone: true });
    if (rowsBefore > 0 && found >= rowsBefore) {
      await record(state, { rowsBefore: 0 });
      throw failed(
        `${found} documents match after a round for ${rowsBefore}: the change leaves the query ` +
          "true, or the application writes such documents",
      );
    }
    // Two tasks do no harm: each changes a document only as its search has found it.
    const started = await send("POST", request.path, { ...request, opaqueId });
    const place = String(field(started, "task"));
    return await record(state, { round: round + 1, rowsBefore: found, place });
  }

  async function endRound(state: State | undefined, task: string) {
    const { keys = 0, round = 1, rows = 0, rowsBefore = 0 } = state?.progress ?? {};
    const message = `changing documents, round ${round}`;
    const end = await awaitTask(cluster, task, {
      signal,
      onLook({ json }) {
        const { total, done } = countsIn(field(json, "task", "status"));
        const pace = done / (Number(field(json, "task", "running_time_in_nanos")) / 1e6);
        const left = pace > 0 && { rate: pace * 1000, leftMs: (total - done) / pace };
        const progress = { message, done, total, ...left };
        onEvent?.({ type: "progress", connection: name, file: path, progress });
      },
    });
    const failure = await followTask(cluster, task, signal);
    if (failure?.goesOn) throw failed(failure.reason);
    const response = "ended" in end ? field(end.ended.json, "response") : undefined;
    const { changed, total } = countsIn(response);
    const next = await record(state, {
      ...{ place: undefined, round, keys: keys + total, rows: rows + changed },
      rowsBefore: response && changed === 0 ? 0 : rowsBefore,
    });
    const reason = field(response, "timed_out") ? "it timed out" : failure?.reason;
    if (reason && !next?.isPaused) throw failed(reason);
    return next;
  }

  return {
    hash,
    read,
    async pause(isPaused: boolean): Promise<void> {
      let state = await read();
      while (state?.isPaused !== isPaused) state = await record(state, {}, isPaused);
      if (!isPaused) return;
      await cancelTasks();
      if (state.progress.place) await endRound(state, state.progress.place);
    },
    async plan() {
      const keys = await count();
      return { keys, ...(requestsPerSecond && { durationMs: keys / requestsPerSecond * 1000 }) };
    },
    async run(): Promise<void> {
      let state = await read();
      while (!state?.progress.isDone && !state?.isPaused && !signal?.aborted) {
        const task = state?.progress.place ?? (await runningTasks())[0];
        state = await (task ? endRound(state, task) : beginRound(state));
      }
      // A task may have been started while it was paused.
      if (state?.isPaused) await cancelTasks();
    },
  };
}

function countsIn(status: unknown) {
  const slices = listOf(field(status, "slices")).filter(isObject);
  const parts = slices.length > 0 ? slices : [status];
  const sum = (name: string) =>
    parts.reduce((all: number, part) => all + Number(field(part, name) ?? 0), 0);
  const changed = sum("updated") + sum("deleted");
  const done = changed + sum("noops") + sum("version_conflicts");
  return { total: sum("total"), changed, done };
}
