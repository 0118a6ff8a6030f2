import { assertEquals } from "@std/assert";
import { send } from "./cluster.ts";
import { idOf, order, type Pieces } from "./documents.ts";
import type { Written } from "./writer.ts";

const SAMPLE = 1000;

/**
 * Looks at what an alias leads to, after the writes have ended: the mapping, how many documents, the contents of every
 * order that was written and of a sample of the others.
 *
 * @throws {AssertionError} where something is not as it has to be
 */
export async function verify(
  url: string,
  alias: string,
  pieces: Pieces,
  documents: number,
  { revisions }: Written,
): Promise<void> {
  const mapping = await send(`${url}/${alias}/_mapping`, "GET");
  const types = Object.values<Mapping>(mapping).map(({ mappings }) => mappings.properties.pieces);
  assertEquals(types, [{ type: pieces }]);

  await send(`${url}/${alias}/_refresh`, "POST");
  const added = revisions.filter(([number, revision]) => number >= documents && revision >= 0);
  const deleted = revisions.filter(([number, revision]) => number < documents && revision < 0);
  const { count } = await send(`${url}/${alias}/_count`, "GET");
  assertEquals(count, documents + added.length - deleted.length, "documents");

  const written = new Map(revisions);
  const others = Array.from({ length: SAMPLE }, (_, i) => Math.floor(i * documents / SAMPLE))
    .filter((number) => !written.has(number))
    .map((number) => [number, 0] as const);
  const all = [...revisions, ...others];
  for (let from = 0; from < all.length; from += SAMPLE) {
    const part = all.slice(from, from + SAMPLE);
    const ids = part.map(([number]) => idOf(number));
    const { docs } = await send(`${url}/${alias}/_mget`, "POST", { ids });
    for (const [i, [number, revision]] of part.entries()) {
      const expected = revision < 0 ? undefined : order(number, revision);
      assertEquals(docs[i]._source, expected, idOf(number));
    }
  }
}

interface Mapping {
  readonly mappings: { readonly properties: { readonly pieces: unknown } };
}
