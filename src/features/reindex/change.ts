import { errorOf } from "../../text/mod.ts";
import {
  type AppliedStep,
  contentKey,
  ExecutionError,
  LockedError,
  mayHaveRun,
  MigrationFailedError,
  type Work,
} from "../../migrations/runner/mod.ts";
import { TransportError } from "../../migrations/search/cluster/cluster.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { undoCopy } from "./abandon.ts";
import { WriteFailedError } from "./arrivals.ts";
import { CopyRecord, copyStateOf, describeCopy, newCopy } from "./copy_state.ts";
import { definitionOf, firstBody, type IndexDefinition, nextBody } from "./definition.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { existed, isThere } from "./expect.ts";
import { type LiveIndex, readIndex, versionName } from "../live_indices/live_index.ts";
import { nextBackup, nextVersion } from "./names.ts";
import { reasonsOf } from "./notes.ts";
import { IndexPair } from "./pair.ts";
import { refuseOtherServers, refuseUnfit } from "./refusals.ts";
import type { ReindexSettings } from "./settings.ts";

/** A change of an index: its file, the copy that the journal knows of, and what steps do with both. */
export class IndexChange {
  readonly file: IndexDefinition;
  readonly pair: IndexPair;
  readonly record: CopyRecord;
  readonly work: Work;
  /** Indices with earlier data that the change has left, for `prune`. */
  readonly left: string[] = [];
  readonly #connection: string;

  constructor(
    step: AppliedStep,
    readonly migration: SearchMigration,
    readonly settings: ReindexSettings,
  ) {
    const { cluster, connection } = searchSessionOf(step);
    const { work, work: { entry: { attempt } } } = step;
    const begun = mayHaveRun(attempt) ? copyStateOf(attempt.resume) : undefined;
    this.file = definitionOf(migration.request.body ?? "{}");
    this.pair = new IndexPair(cluster, work.ensureHeld);
    this.record = new CopyRecord(begun, (resume) => work.progress({ resume }));
    this.work = work;
    this.#connection = connection.name;
  }

  get isWanted(): boolean {
    const { hash, pipeline } = this.record.current;
    return hash === contentKey(this.migration.file) && pipeline === this.settings.pipeline;
  }

  nameOf(number: number): string {
    return versionName(this.migration.resource, this.migration.file.hash, number);
  }

  /** @returns the policy of an index that can be copied @throws {CopyRefusedError} */
  async policyOf(live: LiveIndex): Promise<string | undefined> {
    await refuseOtherServers(this.pair.cluster);
    return await refuseUnfit(this.pair.cluster, live, this.settings);
  }

  async createFirst(): Promise<string> {
    const { file, migration: { resource: name }, pair } = this;
    const body = firstBody(file, name);
    for (let number = 1;;) {
      const index = this.nameOf(number);
      const note = `made as '${index}', with '${name}' as its alias`;
      const request = { method: "PUT", path: `/${encodeURIComponent(index)}`, body };
      const answer = await pair.send(request, isThere);
      if (!existed(answer)) return note;
      const there = await readIndex(pair.cluster, index);
      if (there && Object.hasOwn(there.aliases, name)) return note;
      number = await nextVersion(pair.cluster, name);
    }
  }

  /** The server says in its own words what the file says. @returns `undefined` when another index has the name */
  async createNext(live: LiveIndex, to: string, pinned: readonly string[]) {
    const { file, migration, pair, record, settings: { pipeline } } = this;
    const about = { name: migration.resource, from: live.name, to, pinned, pipeline };
    await record.change(newCopy({ ...about, hash: contentKey(migration.file) }));
    await pair.pin(live, pinned);
    await pair.mark(record.current);
    const body = nextBody(file, live, IndexPair.aliases(record.current));
    if (!await pair.make(record.current, body)) return undefined;
    const made = await readIndex(pair.cluster, to);
    if (made === undefined) throw new Error(`The index '${to}' was created, but is missing`);
    await pair.takeOffAliases(record.current, made);
    return made;
  }

  async backUp(check: () => void): Promise<void> {
    const { name, backups } = this.record.current;
    const backup = await nextBackup(this.pair.cluster, name, backups);
    check();
    await this.record.change({ backups: [...backups, backup] });
    await this.pair.backUp(this.record.current, backup);
  }

  async undo(): Promise<void> {
    if (this.record.known === undefined) return;
    await undoCopy(this.pair, this.record.known);
    this.record.forget();
  }

  get leftBehind(): { readonly leftBehind: readonly string[] } | undefined {
    return this.left.length > 0 ? { leftBehind: this.left } : undefined;
  }

  /** The error names the indices that the failed run leaves behind; a copy that can never succeed is undone first. */
  async failure(thrown: unknown): Promise<ExecutionError> {
    const failed = await this.#failureOf(thrown);
    return new ExecutionError(failed.cause, failed.effect, { ...failed, ...this.leftBehind });
  }

  async #failureOf(thrown: unknown): Promise<ExecutionError> {
    const { migration: { file }, pair, record, work } = this;
    // The cluster refuses requests of a run that was taken over: the error then names the lost lock.
    const error = await work.ensureHeld().then(() => thrown, (lost) => lost);
    if (error instanceof LockedError && record.known?.step === "make") {
      await pair.withdraw(record.known).catch(() => {});
    }
    const reasons = this.#isMistake(error) ? [error.message] : reasonsOf(error, file.path);
    return reasons ? await this.#refusal(reasons) : this.#interruption(error);
  }

  /** Whether the cluster has refused something before anything is copied: it would refuse it again. */
  #isMistake(error: unknown): error is AnswerError {
    const isBegun = (this.record.known?.step ?? "make") !== "make";
    if (isBegun || !(error instanceof AnswerError)) return false;
    const { status, repeated } = error.answer;
    return status >= 400 && status < 500 && status !== 408 && status !== 429 && !repeated;
  }

  #interruption(error: unknown): ExecutionError {
    const { record, record: { isSettled: undone }, work: { signal } } = this;
    const known = record.known && describeCopy(record.known);
    const cause = error instanceof AnswerError || error instanceof WriteFailedError
      ? this.#failed([error.message, ...known ? [`The next run goes on: ${known}`] : []])
      : errorOf(error);
    const isRefused = error instanceof TransportError && (error.refused || !error.mayHaveArrived);
    if (known === undefined && (isRefused || undone)) {
      return new ExecutionError(cause, "none", { undone });
    }
    const isStop = signal?.aborted === true && error === signal.reason;
    return new ExecutionError(cause, "unknown", known === undefined || isStop ? {} : { known });
  }

  async #refusal(lines: readonly string[]): Promise<ExecutionError> {
    try {
      await this.undo();
    } catch (error) {
      const more = `Cannot delete the unfinished copy: ${errorOf(error).message}`;
      const known = describeCopy(this.record.current);
      return new ExecutionError(this.#failed([...lines, more]), "unknown", { known });
    }
    return new ExecutionError(this.#failed(lines), "none", { undone: true });
  }

  #failed(lines: readonly string[]): MigrationFailedError {
    const text = this.pair.cluster.redact(lines.join("\n  "));
    return new MigrationFailedError(this.#connection, this.migration.file.path, text);
  }
}
