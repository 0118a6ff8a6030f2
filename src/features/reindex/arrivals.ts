import { pause } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { refresh } from "./checkpoints.ts";
import { CopyRefusedError } from "./expect.ts";
import { deleteDocuments, writeDocuments, type Written } from "./bulk.ts";
import { type DocumentKey, readByKey, type StoredDocument } from "./documents.ts";
import { differingThrough } from "./pipeline.ts";

export interface Destination {
  readonly cluster: Cluster;
  readonly from: string;
  readonly index: string;
  /** The alias that is written through: it exists as long as the copy is ours. */
  readonly marker: string;
  readonly pipeline?: string;
  readonly check: () => Promise<void>;
}

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

/**
 * Makes these documents arrive as they are: writes them with their versions. Where the cluster has the same version already, or
 * a higher one, what is there is compared, and replaced if it is something else: a document that was deleted and made again,
 * whose versions started again.
 *
 * @throws {RefusedDocumentsError}
 * @throws {CopyRefusedError} when two documents of one id meet in one shard
 */
export async function arrive(to: Destination, documents: readonly StoredDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const { cluster, index, marker, check } = to;
  await check();
  const conflicts = sortOut(
    index,
    documents,
    await writeDocuments(cluster, marker, documents, to.pipeline),
  );
  const found = await readByKey(cluster, index, conflicts);
  const there = new Map(conflicts.map((document, position) => [document, found[position]]));
  const others: StoredDocument[] = [];
  const same: StoredDocument[] = [];
  for (const [document, one] of there) {
    if (one && one.routing !== document.routing) await refuseCollision(to, document, one);
    (one?.version === document.version ? same : others).push(document);
  }
  others.push(...await differing(to, same, (document) => there.get(document)));
  await replace(to, others);
}

/** How often deleted documents are rewritten, and how long beyond its setting the cluster remembers deletions, in milliseconds. */
const REPLACEMENTS = { tries: 15, pauseMs: 250 };

/**
 * Deletes what is there, so that a lower version is taken. With `gc_deletes: 0s` a refresh forgets what was deleted, but not
 * within one tick of a clock of the server's own (`thread_pool.estimated_time_interval`, 200 ms).
 */
async function replace(
  { cluster, index, marker, pipeline, check }: Destination,
  documents: readonly StoredDocument[],
): Promise<void> {
  let left = documents;
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === REPLACEMENTS.tries) {
      throw new WriteFailedError(index, `another client keeps writing '${left[0]!.id}': stop it`);
    }
    if (attempt > 0) await pause(REPLACEMENTS.pauseMs);
    await check();
    // Deleting it again would only make the cluster remember it longer.
    if (attempt % 5 === 0) failOf(index, await deleteDocuments(cluster, marker, left));
    await refresh(cluster, index);
    left = sortOut(index, left, await writeDocuments(cluster, marker, left, pipeline));
  }
}

export async function takeAway(
  { cluster, index, marker, check }: Destination,
  keys: readonly DocumentKey[],
): Promise<void> {
  await check();
  failOf(index, await deleteDocuments(cluster, marker, keys));
}

export async function differing(
  { cluster, pipeline }: Pick<Destination, "cluster" | "pipeline">,
  documents: readonly StoredDocument[],
  found: (document: StoredDocument) => StoredDocument | undefined,
): Promise<readonly StoredDocument[]> {
  return pipeline === undefined
    ? documents.filter((one) => found(one)?.source !== one.source)
    : await differingThrough(cluster, pipeline, documents, found);
}

function sortOut(
  index: string,
  documents: readonly StoredDocument[],
  written: readonly Written[],
): readonly StoredDocument[] {
  const isRefused = ({ status }: Written) => status === 400;
  const refused = documents.flatMap(({ id }, position) => {
    const { error } = written[position]!;
    return error && isRefused(written[position]!)
      ? [{ id, reason: `${error.type}: ${error.reason}` }]
      : [];
  });
  if (refused.length > 0) throw new RefusedDocumentsError(refused);
  failOf(index, written.filter(({ status }) => status !== 409));
  const dropped = documents.find((_, position) => written[position]!.result === "noop");
  if (dropped) {
    throw new CopyRefusedError(
      `The pipeline drops documents, such as '${dropped.id}': delete these documents first, in a separate file`,
    );
  }
  return documents.filter((_, position) => written[position]!.status === 409);
}

function failOf(index: string, written: readonly Written[]): void {
  const failed = written.find(({ status, error }) =>
    (error !== undefined && status !== 404) || status >= 500
  );
  const isGone = written.find(({ error }) => error?.type === "index_not_found_exception");
  const worst = isGone ?? failed;
  if (!worst?.error) return;
  const { type, reason } = worst.error;
  throw new WriteFailedError(index, `${type}: ${reason}`);
}

async function refuseCollision(
  { cluster, from }: Destination,
  document: DocumentKey,
  there: DocumentKey,
): Promise<void> {
  const { id, routing } = there;
  const [other] = await readByKey(cluster, from, [there]);
  if (other === undefined || other.routing !== routing) return;
  const routings = [document.routing, routing].map((one) =>
    one === undefined ? "none" : `'${one}'`
  );
  throw new CopyRefusedError(
    `Two documents have the id '${id}', with the routings ${
      routings.join(" and ")
    }. In the new index both ` +
      "belong to one shard, which can only keep one of them: keep the number of shards, or change an id",
  );
}
