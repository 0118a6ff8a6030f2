import type { Destination } from "./arrivals.ts";
import type { DocumentKey, StoredDocument } from "./documents.ts";
import { CopyRefusedError } from "./expect.ts";

const SAMPLE = 1000;
const PAGE = 100;

/** Compares a sample of all shards word for word, or as the pipeline makes it. @throws {CopyRefusedError} */
export async function proveEqual(
  to: Destination,
  window: number,
  check: () => void,
): Promise<void> {
  const { from, to: copy, pipeline } = to.options;
  const sample = await from.sample(Math.min(SAMPLE, window));
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
    `The copy differs from its source: of ${sample.length} compared documents, these differ in '${copy.name}': ${ids}${hint}`,
  );
}

async function othersOf(
  to: Destination,
  keys: readonly DocumentKey[],
): Promise<readonly string[]> {
  const wanted = await to.options.from.byKey(keys);
  const found = await to.options.to.byKey(keys);
  const pairs = new Map<StoredDocument, StoredDocument | undefined>();
  for (const [position, document] of wanted.entries()) {
    if (document) pairs.set(document, found[position]);
  }
  const documents = [...pairs.keys()];
  const others = new Set([
    ...documents.filter((one) => pairs.get(one)?.version !== one.version),
    ...await to.differing(documents, (one) => pairs.get(one)),
  ]);
  return [...others].map(({ id }) => id);
}
