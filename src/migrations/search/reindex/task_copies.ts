import { jittered, pause, type WorkProgress } from "../../runner/mod.ts";
import type { Cluster } from "../cluster.ts";
import type { ReindexSettings } from "../types.ts";
import { copyTarget, type KeptState } from "./copy_state.ts";
import { cancelTask, endOfCopy, runningCopies, startCopy } from "./server_copy.ts";

/** What the copies of one copy have in common. */
export interface CopyContext {
  readonly cluster: Cluster;
  readonly settings: ReindexSettings;
  readonly state: KeptState;
  readonly ensureHeld: () => Promise<void>;
  readonly onProgress: (progress: WorkProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How often the cluster makes one copy that does not come to its end. */
const TRIES = 5;

/** Which documents are copied. */
export interface CopySpan {
  /** Those with a higher sequence number; left out for all of them. */
  readonly after?: number;
  /** Those with no higher one. */
  readonly upTo?: number;
  /** Called whenever the copy was looked at. */
  readonly onLook?: () => Promise<void>;
}

/** Lets the cluster copy by itself, as tasks that outlive the run, one at a time. */
export class TaskCopies {
  /** @param batch documents in one batch */
  constructor(private readonly context: CopyContext, private readonly batch: number) {}

  /**
   * Has documents copied, following a task that an earlier run has started.
   *
   * @throws {RefusedDocumentsError}
   */
  async copy(message: string, span: CopySpan): Promise<void> {
    const { cluster, settings, state, signal, onProgress, ensureHeld } = this.context;
    const started = performance.now();
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const task = await this.#running() ?? await this.#start(span);
      const count = await endOfCopy(cluster, task, {
        signal,
        check: async () => {
          await ensureHeld();
          await span.onLook?.();
        },
        onProgress: ({ done, total }) => {
          const rate = done / ((performance.now() - started) / 1000);
          const leftMs = rate > 0 ? (total - done) / rate * 1000 : undefined;
          onProgress({ message, done, total, rate, ...(leftMs !== undefined && { leftMs }) });
        },
      });
      await state.endTask();
      if (count !== undefined) {
        onProgress({ message, done: count.done, total: count.total });
        return;
      }
      await pause(jittered(1000), signal);
    }
    const hint = settings.pipeline === undefined ? "" : ", and into its pipeline";
    throw new Error(`The cluster did not end a copy, ${TRIES} times: look into its log${hint}`);
  }

  /** Whether something writes into the new index by itself. */
  async areRunning(): Promise<boolean> {
    return (await this.#all()).length > 0;
  }

  /** Stops whatever writes into the new index by itself. */
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
