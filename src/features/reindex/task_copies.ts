import { jittered, pause } from "../../migrations/runner/mod.ts";
import { describeFailure } from "../../migrations/search/cluster/answer.ts";
import { taskOf } from "../../migrations/search/cluster/tasks.ts";
import { RefusedDocumentsError, WriteFailedError } from "./arrivals.ts";
import type { IndexChange } from "./change.ts";
import { copyTarget } from "./copy_state.ts";
import { IndexDocuments } from "./documents.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { CopyRefusedError } from "./expect.ts";
import { simulate } from "./pipeline.ts";
import { cancelTask, endOfCopy, runningCopies } from "./server_copy.ts";

const TRIES = 7;

interface CopySpan {
  readonly after?: number;
  readonly upTo?: number;
  readonly onLook?: () => Promise<void>;
  /** Ends the waiting, besides the signal of the run; the cluster's task goes on, and the next run follows it. */
  readonly signal?: AbortSignal;
}

/** Lets the cluster copy by itself, as tasks that outlive the run, one at a time. */
export class TaskCopies {
  constructor(
    private readonly change: IndexChange,
    private readonly batch: number,
    private readonly slices: number | "auto",
  ) {}

  /** Follows a task that an earlier run has started. @throws {RefusedDocumentsError | WriteFailedError | CopyRefusedError} */
  async copy(message: string, span: CopySpan): Promise<void> {
    const { pair: { cluster, ensureHeld }, record, settings, work } = this.change;
    const signal = AbortSignal.any([work.signal, span.signal].filter((one) => one !== undefined));
    let reason = "";
    for (let attempt = 0; attempt < TRIES; attempt++) {
      // A node takes no more at once than a part of its memory.
      const batch = Math.max(1, this.batch >> 2 * attempt);
      const task = await this.#running() ?? await this.#start(span, batch);
      const started = performance.now();
      let before: number | undefined;
      const end = await endOfCopy(cluster, task, async ({ done, total }) => {
        before ??= done;
        const rate = (done - before) / ((performance.now() - started) / 1000);
        const leftMs = rate > 0 ? (total - done) / rate * 1000 : undefined;
        work.onProgress?.({ message, done, total, rate, ...(leftMs !== undefined && { leftMs }) });
        await ensureHeld();
        await span.onLook?.();
      }, signal);
      await record.endTask();
      if (typeof end !== "string") return work.onProgress?.({ message, ...end });
      // Writes to the new index are blocked, which no further try changes.
      const { to } = record.current;
      const block = `cluster_block_exception: index [${to}] blocked by: [FORBIDDEN/8`;
      if (end.startsWith(block)) throw new WriteFailedError(to, end);
      reason = end;
      await pause(jittered(1000), signal);
    }
    if (settings.pipeline !== undefined) await this.#refuseUnfit(settings.pipeline, signal);
    throw new CopyRefusedError(`The cluster failed to complete a copy ${TRIES} times: ${reason}`);
  }

  /** Finds the documents that a pipeline fails for. @throws {RefusedDocumentsError} */
  async #refuseUnfit(pipeline: string, signal: AbortSignal): Promise<void> {
    const { pair: { cluster }, record: { current: { from, since } }, work } = this.change;
    const index = new IndexDocuments(cluster, from);
    const check = () => {
      signal.throwIfAborted();
      work.onProgress?.({ message: "looking for documents that the pipeline rejects" });
    };
    for (const shard of Object.keys(since)) {
      for await (const page of index.pages({ shard, after: -1, size: this.batch }, check)) {
        const reasons = (await simulate(cluster, pipeline, page)).map((one) => one?.error);
        const refused = page.flatMap(({ id }, at) =>
          reasons[at] === undefined ? [] : [{ id, reason: reasons[at] }]
        );
        if (refused.length > 0) throw new RefusedDocumentsError(refused);
      }
    }
  }

  async cancelAll(): Promise<void> {
    const { pair, record } = this.change;
    for (const { task } of await runningCopies(pair, record.current)) await cancelTask(pair, task);
    await record.endTask();
  }

  /** The task of the journal, or one whose id got lost; any other that writes into the new index is cancelled. */
  async #running(): Promise<string | undefined> {
    const { pair, record } = this.change;
    const { task } = record.current;
    const running = await runningCopies(pair, record.current);
    const ours = running.find((copy) =>
      task === undefined ? copy.opaqueId === this.#opaqueId() : copy.task === task
    );
    for (const other of running) if (other !== ours) await cancelTask(pair, other.task);
    if (ours && task === undefined) await record.change({ task: ours.task });
    return task ?? ours?.task;
  }

  async #start({ after, upTo }: CopySpan, size: number): Promise<string> {
    const { pair, settings: { pipeline, requestsPerSecond }, record } = this.change;
    await record.change({ round: record.current.round + 1 });
    const limit = requestsPerSecond === undefined
      ? ""
      : `&requests_per_second=${requestsPerSecond}`;
    const options = `wait_for_completion=false&slices=${this.slices}&require_alias=true${limit}`;
    const isAll = after === undefined && upTo === undefined;
    const query = isAll ? { match_all: {} } : { range: { _seq_no: { gt: after, lte: upTo } } };
    const request = {
      method: "POST",
      path: `/_reindex?${options}`,
      opaqueId: this.#opaqueId(),
      body: JSON.stringify({
        conflicts: "proceed",
        source: { index: record.current.from, size, query },
        dest: { index: copyTarget(record.current), version_type: "external", pipeline },
      }),
    };
    // Twice is no harm: the same versions conflict, and are passed over.
    const answer = await pair.send(request);
    const task = taskOf(answer);
    if (task === undefined) throw new AnswerError(request, answer, describeFailure(answer));
    await record.change({ task });
    return task;
  }

  #opaqueId(): string {
    return `${copyTarget(this.change.record.current)}-${this.change.record.current.round}`;
  }
}
