/**
 * Sends many requests at once to the controller of contexts, and gives every answer that knows of another request than
 * its own.
 *
 * @param base URL of an application with `context_controller.ts`
 */
export async function contextConformance(
  base: string,
  client: typeof fetch = fetch,
  count = 60,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const ask = async (id: number) => {
    const [kind, write] = KINDS[id % KINDS.length]!;
    const response = await client(`${base}/context/${id}/${kind}?q=${id}`, {
      headers: { "X-Id": `${id}` },
    });
    const text = await response.text();
    const expected = write(`${id} ${id} ${id}`);
    if (text !== expected) failures.push(`${kind} ${id}: expected '${expected}', found '${text}'`);
  };
  await Promise.all(Array.from({ length: count }, (_, id) => ask(id)));
  return failures;
}

const KINDS: readonly (readonly [kind: string, write: (seen: string) => string])[] = [
  ["plain", (seen) => seen],
  ["events", (seen) => `data: ${seen}\n\n`.repeat(3)],
  ["lines", (seen) => `${seen}\n`.repeat(3)],
];
