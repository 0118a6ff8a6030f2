import { pause } from "../../migrations/runner/mod.ts";
import { changes } from "../../migrations/search/json/compare.ts";
import { valueOf } from "../../migrations/search/json/json_values.ts";
import { deleting, isRefusal, sendBulk, writing, type Written } from "./bulk.ts";
import {
  type DocumentKey,
  type IndexDocuments,
  pagesOf,
  type StoredDocument,
} from "./documents.ts";
import { CopyRefusedError } from "./expect.ts";
import { droppedBy, simulate } from "./pipeline.ts";

export class RefusedDocumentsError extends Error {
  override readonly name = "RefusedDocumentsError";

  constructor(readonly documents: readonly { readonly id: string; readonly reason: string }[]) {
    super(`${documents.length} documents are refused`);
  }
}

/** A write that the new index does not take although its documents are right: the next run goes on. */
export class WriteFailedError extends Error {
  override readonly name = "WriteFailedError";

  constructor(index: string, reason: string) {
    const advice = reason.startsWith("cluster_block_exception")
      ? `. Lift the block ('PUT /${index}/_settings', '{ "index.blocks.write": null }'), and run it again`
      : "";
    super(
      `The new index '${index}' does not take a document: ${reason.replace(/;$/, "")}${advice}`,
    );
  }
}

/** How often deleted documents are rewritten, and how long beyond its setting the cluster remembers deletions, in milliseconds. */
const REPLACEMENTS = { tries: 15, pauseMs: 250 };
const SAMPLE = { documents: 1000, page: 100 };

export class Destination {
  /** @param marker the alias that is written through: it exists as long as the copy is ours */
  constructor(
    private readonly from: IndexDocuments,
    private readonly to: IndexDocuments,
    private readonly marker: string,
    private readonly check: () => Promise<void>,
    private readonly pipeline?: string,
  ) {}

  /**
   * Makes these documents arrive as they are: writes them with their versions. Where the cluster has the same version already,
   * or a higher one, what is there is compared, and replaced if it is something else: a document that was deleted and made
   * again, whose versions started again.
   *
   * @throws {RefusedDocumentsError}
   * @throws {CopyRefusedError} when two documents of one id meet in one shard
   */
  async arrive(documents: readonly StoredDocument[]): Promise<void> {
    if (documents.length === 0) return;
    await this.check();
    await this.#replace(await this.#others(await this.#write(documents)));
  }

  /** Compares a sample of all shards word for word, or as the pipeline makes it. @throws {CopyRefusedError} */
  async proveEqual(window: number, check: () => void): Promise<void> {
    const { from, to, pipeline } = this;
    const sample = await from.sample(Math.min(SAMPLE.documents, window));
    const others: StoredDocument[] = [];
    for (const keys of pagesOf(sample, SAMPLE.page)) {
      check();
      const wanted = await from.byKey(keys);
      others.push(...await this.#others(wanted.filter((document) => document !== undefined)));
    }
    if (others.length === 0) return;
    const ids = others.slice(0, 5).map(({ id }) => `'${id}'`).join(", ");
    const hint = pipeline === undefined
      ? ""
      : `. Does the pipeline '${pipeline}' produce a different document each time, such as a new timestamp?`;
    throw new CopyRefusedError(
      `The copy differs from its source: of ${sample.length} compared documents, these differ in '${to.name}': ${ids}${hint}`,
    );
  }

  async takeAway(keys: readonly DocumentKey[]): Promise<void> {
    await this.check();
    await this.#delete(keys);
  }

  /** Those that the new index does not have, or has in another way. */
  async #others(documents: readonly StoredDocument[]): Promise<readonly StoredDocument[]> {
    const { to: { cluster }, pipeline } = this;
    const found = await this.to.byKey(documents);
    const there = new Map(documents.map((document, position) => [document, found[position]]));
    const others: StoredDocument[] = [];
    const same: StoredDocument[] = [];
    for (const [document, one] of there) {
      if (one && one.routing !== document.routing) await this.#refuseCollision(document, one);
      (one?.version === document.version ? same : others).push(document);
    }
    const made = pipeline === undefined ? [] : await simulate(cluster, pipeline, same);
    const differing = same.filter((document, position) => {
      const source = there.get(document)?.source;
      if (pipeline === undefined) return source !== document.source;
      const wanted = made[position];
      return wanted !== undefined && changes(wanted.source, valueOf(source)).length > 0;
    });
    return [...others, ...differing];
  }

  /**
   * Deletes what is there, so that a lower version is taken. With `gc_deletes: 0s` a refresh forgets what was deleted, but not
   * within one tick of a clock of the server's own (`thread_pool.estimated_time_interval`, 200 ms).
   */
  async #replace(documents: readonly StoredDocument[]): Promise<void> {
    let left = documents;
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt === REPLACEMENTS.tries) {
        const reason = `another client keeps writing '${left[0]!.id}': stop it`;
        throw new WriteFailedError(this.to.name, reason);
      }
      if (attempt > 0) await pause(REPLACEMENTS.pauseMs);
      await this.check();
      // Deleting it again would only make the cluster remember it longer.
      if (attempt % 5 === 0) await this.#delete(left);
      await this.to.refresh();
      left = await this.#write(left);
    }
  }

  /** @returns those of which the new index has the version, or a higher one */
  async #write(documents: readonly StoredDocument[]): Promise<readonly StoredDocument[]> {
    const written = await this.#send(documents.map(writing), this.pipeline);
    const refused = documents.flatMap(({ id }, position) => {
      const { error, status } = written[position]!;
      return error && isRefusal(status, error.type)
        ? [{ id, reason: `${error.type}: ${error.reason}` }]
        : [];
    });
    if (refused.length > 0) throw new RefusedDocumentsError(refused);
    this.#failOf(written.filter(({ status }) => status !== 409));
    const dropped = documents.find((_, position) => written[position]!.result === "noop");
    if (dropped) throw new CopyRefusedError(droppedBy("The pipeline", dropped));
    return documents.filter((_, position) => written[position]!.status === 409);
  }

  async #delete(keys: readonly DocumentKey[]): Promise<void> {
    this.#failOf(await this.#send(keys.map(deleting)));
  }

  #send(lines: readonly string[], pipeline?: string): Promise<readonly Written[]> {
    return sendBulk(this.to.cluster, this.marker, lines, pipeline);
  }

  #failOf(written: readonly Written[]): void {
    const failed = written.find(({ status, error }) =>
      (error !== undefined && status !== 404) || status >= 500
    );
    const isGone = written.find(({ error }) => error?.type === "index_not_found_exception");
    const { error } = isGone ?? failed ?? {};
    if (error) throw new WriteFailedError(this.to.name, `${error.type}: ${error.reason}`);
  }

  async #refuseCollision(document: DocumentKey, there: DocumentKey): Promise<void> {
    const { id, routing } = there;
    const [other] = await this.from.byKey([there]);
    if (other === undefined || other.routing !== routing) return;
    const routings = [document.routing, routing].map((one) =>
      one === undefined ? "none" : `'${one}'`
    );
    throw new CopyRefusedError(
      `Two documents have the id '${id}', with the routings ${
        routings.join(" and ")
      }. In the new ` +
        "index both belong to one shard, which can only keep one of them: keep the number of shards, " +
        "or change an id",
    );
  }
}
