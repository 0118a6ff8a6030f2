import { type Destination, differing } from "./arrivals.ts";
import { readByKey, readSample } from "./documents.ts";
import { CopyRefusedError } from "./expect.ts";

/**
 * Shows that an index and its copy have the same documents: as many of them, and a sample of all shards word for word; or
 * as the pipeline makes them.
 *
 * @param size of the sample
 * @throws {CopyRefusedError} when they have not
 */
export async function proveEqual(
  to: Destination,
  from: string,
  documents: { readonly from: number; readonly to: number },
  size: number,
): Promise<void> {
  const { cluster, index, pipeline } = to;
  const through = pipeline === undefined
    ? ""
    : ` The pipeline '${pipeline}' may drop some, or change their ids.`;
  if (documents.from !== documents.to) {
    throw new CopyRefusedError(
      `The copy is not what it was made of: '${from}' has ${documents.from} documents, '${index}' has ${documents.to}.${through}`,
    );
  }
  const sample = await readSample(cluster, from, size);
  const found = await readByKey(cluster, index, sample);
  const positions = new Map(sample.map((document, position) => [document, position]));
  const at = (document: typeof sample[number]) => found[positions.get(document)!];
  const others = [
    ...sample.filter((document) => at(document)?.version !== document.version),
    ...await differing(to, sample, at),
  ];
  if (others.length === 0) return;
  const ids = [...new Set(others.map(({ id }) => `'${id}'`))].slice(0, 5).join(", ");
  const hint = pipeline === undefined
    ? ""
    : ` Does the pipeline '${pipeline}' make something else of a document each time, such as a time?`;
  throw new CopyRefusedError(
    `The copy is not what it was made of: of ${sample.length} documents, others are in '${index}': ${ids}.${hint}`,
  );
}
