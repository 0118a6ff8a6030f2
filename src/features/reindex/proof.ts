import { type Destination, differing } from "./arrivals.ts";
import { type DocumentKey, readByKey, readSample, type StoredDocument } from "./documents.ts";
import { CopyRefusedError } from "./expect.ts";

const SAMPLE = 1000;
const PAGE = 100;

/** Compares counts, and a sample of all shards word for word, or as the pipeline makes it. @throws {CopyRefusedError} */
export async function proveEqual(
  to: Destination,
  documents: { readonly from: number; readonly to: number },
  window: number,
  check: () => void,
): Promise<void> {
  const { cluster, from, index, pipeline } = to;
  if (documents.from !== documents.to) {
    throw new CopyRefusedError(
      `The copy differs from its source: '${from}' has ${documents.from} documents, '${index}' has ${documents.to}`,
    );
  }
  const sample = await readSample(cluster, from, Math.min(SAMPLE, window));
  const others: string[] = [];
  for (let start = 0; start < sample.length; start += PAGE) {
    check();
    others.push(...await othersOf(to, sample.slice(start, start + PAGE)));
  }
  if (others.length === 0) return;
  const ids = others.slice(0, 5).map((id) => `'${id}'`).join(", ");
  const hint = pipeline === undefined
    ? ""
    : `. Does the pipeline '${pipeline}' produce a different document each time, such as a new timestamp?`;
  throw new CopyRefusedError(
    `The copy differs from its source: of ${sample.length} compared documents, these differ in '${index}': ${ids}${hint}`,
  );
}

async function othersOf(
  to: Destination,
  keys: readonly DocumentKey[],
): Promise<readonly string[]> {
  const wanted = await readByKey(to.cluster, to.from, keys);
  const found = await readByKey(to.cluster, to.index, keys);
  const pairs = new Map<StoredDocument, StoredDocument | undefined>();
  for (const [position, document] of wanted.entries()) {
    if (document) pairs.set(document, found[position]);
  }
  const documents = [...pairs.keys()];
  const others = new Set([
    ...documents.filter((one) => pairs.get(one)?.version !== one.version),
    ...await differing(to, documents, (one) => pairs.get(one)),
  ]);
  return [...others].map(({ id }) => id);
}
