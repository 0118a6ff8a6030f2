import { jittered, pause, type WorkProgress } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import type { ReindexSettings } from "../../migrations/search/types.ts";
import { RefusedDocumentsError, WriteFailedError } from "./arrivals.ts";
import { copyTarget, type KeptState } from "./copy_state.ts";
import { readPage } from "./documents.ts";
import { CopyRefusedError } from "./expect.ts";
import { simulate } from "./pipeline.ts";
import { cancelTask, endOfCopy, runningCopies, startCopy } from "./server_copy.ts";

export interface CopyContext {
  readonly cluster: Cluster;
  readonly settings: ReindexSettings;
  readonly state: KeptState;
  readonly ensureHeld: () => Promise<void>;
  readonly onProgress: (progress: WorkProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

const TRIES = 7;
const SHOWN = 5;

export interface CopySpan {
  readonly after?: number;
  readonly upTo?: number;
  readonly onLook?: () => Promise<void>;
  /** Ends the waiting, besides the signal of the run; the cluster's task goes on, and the next run follows it. */
  readonly signal?: AbortSignal;
}

/** Lets the cluster copy by itself, as tasks that outlive the run, one at a time. */
export class TaskCopies {
  constructor(
    private readonly context: CopyContext,
    private batch: number,
    private readonly slices: number | "auto",
  ) {}

  /** Follows a task that an earlier run has started. @throws {RefusedDocumentsError | WriteFailedError | CopyRefusedError} */
  async copy(message: string, span: CopySpan): Promise<void> {
    const { cluster, state, onProgress, ensureHeld } = this.context;
    const signals = [this.context.signal, span.signal].filter((one) => one !== undefined);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    let reason = "";
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const task = await this.#running() ?? await this.#start(span);
      const started = performance.now();
      let before: number | undefined;
      const end = await endOfCopy(cluster, task, {
        signal,
        check: async () => {
          await ensureHeld();
          await span.onLook?.();
        },
        onProgress: ({ done, total }) => {
          before ??= done;
          const rate = (done - before) / ((performance.now() - started) / 1000);
          const leftMs = rate > 0 ? (total - done) / rate * 1000 : undefined;
          onProgress({ message, done, total, rate, ...(leftMs !== undefined && { leftMs }) });
        },
      });
      await state.endTask();
      if (typeof end !== "string") {
        onProgress({ message, done: end.done, total: end.total });
        return;
      }
      // Writes to the new index are blocked, which no further try changes.
      const { to } = state.current;
      const block = `cluster_block_exception: index [${to}] blocked by: [FORBIDDEN/8`;
      if (end.startsWith(block)) throw new WriteFailedError(to, end);
      reason = end;
      // A node takes no more at once than a part of its memory.
      this.batch = Math.max(1, this.batch >> 2);
      await pause(jittered(1000), signal);
    }
    const { pipeline } = this.context.settings;
    if (pipeline !== undefined) await this.#refuseUnfit(pipeline);
    throw new CopyRefusedError(
      `The cluster failed to complete a copy ${TRIES} times: ${reason}`,
    );
  }

  /** Finds the documents that a pipeline fails for. @throws {RefusedDocumentsError} */
  async #refuseUnfit(pipeline: string): Promise<void> {
    const { cluster, state: { current: { from, since = {} } } } = this.context;
    const refused: { id: string; reason: string }[] = [];
    for (const shard of Object.keys(since)) {
      for (let after = -1; refused.length < SHOWN;) {
        const page = await readPage(cluster, from, { shard, after, size: this.batch });
        for (const [position, made] of (await simulate(cluster, pipeline, page)).entries()) {
          if (made?.error !== undefined) {
            refused.push({ id: page[position]!.id, reason: made.error });
          }
        }
        if (page.length < this.batch) break;
        after = page.at(-1)!.seqNo;
      }
    }
    if (refused.length > 0) throw new RefusedDocumentsError(refused);
  }

  async areRunning(): Promise<boolean> {
    return (await this.#all()).length > 0;
  }

  async cancelAll(): Promise<void> {
    for (const { task } of await this.#all()) await this.#cancel(task);
    await this.context.state.endTask();
  }

  /** The task of the journal, or one whose id got lost; any other that writes into the new index is cancelled. */
  async #running(): Promise<string | undefined> {
    const { state } = this.context;
    const { task } = state.current;
    const running = await this.#all();
    const ours = running.find((copy) =>
      task === undefined ? copy.opaqueId === this.#opaqueId() : copy.task === task
    );
    for (const other of running) if (other !== ours) await this.#cancel(other.task);
    if (ours && task === undefined) await state.change({ task: ours.task });
    return task ?? ours?.task;
  }

  async #start({ after, upTo }: CopySpan): Promise<string> {
    const { cluster, settings, state, ensureHeld } = this.context;
    await state.change({ round: state.current.round + 1 });
    await ensureHeld();
    const task = await startCopy(cluster, {
      from: state.current.from,
      into: copyTarget(state.current),
      batch: this.batch,
      slices: this.slices,
      opaqueId: this.#opaqueId(),
      ...(after !== undefined && { after }),
      ...(upTo !== undefined && { upTo }),
      ...(settings.pipeline !== undefined && { pipeline: settings.pipeline }),
      ...(settings.requestsPerSecond !== undefined &&
        { requestsPerSecond: settings.requestsPerSecond }),
    });
    await state.change({ task });
    return task;
  }

  #opaqueId(): string {
    const { current } = this.context.state;
    return `${copyTarget(current)}-${current.round}`;
  }

  #all() {
    const { cluster, state: { current } } = this.context;
    return runningCopies(cluster, [current.to, copyTarget(current)]);
  }

  async #cancel(task: string): Promise<void> {
    await this.context.ensureHeld();
    await cancelTask(this.context.cluster, task);
  }
}
