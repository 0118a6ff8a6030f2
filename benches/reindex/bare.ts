import { pause, send } from "./cluster.ts";
import { indexBody, type Pieces } from "./documents.ts";

/** In milliseconds. */
export interface BareCopy {
  /** From the request to the end of its task, which is asked for every 50 ms. */
  readonly bare: number;
  /** Until the documents can be found: what `refresh=true` adds to it. */
  readonly found: number;
}

/**
 * Copies an index by one `_reindex` and nothing else. Making the new index is not counted, nor are writes that come in
 * meanwhile brought after.
 */
export async function bareReindex(
  url: string,
  source: string,
  target: string,
  pieces: Pieces,
): Promise<BareCopy> {
  const { settings, mappings } = indexBody(pieces);
  const body = { settings: { ...settings, refresh_interval: "-1" }, mappings };
  await send(`${url}/${target}`, "PUT", body);
  const started = performance.now();
  const { task } = await send(
    `${url}/_reindex?wait_for_completion=false&slices=auto`,
    "POST",
    { source: { index: source }, dest: { index: target } },
  );
  while (true) {
    const { completed, error, response } = await send(`${url}/_tasks/${task}`, "GET");
    if (completed) {
      const bare = performance.now() - started;
      if (error || response.failures.length > 0 || response.created !== response.total) {
        throw new Error(`The bare _reindex failed: ${JSON.stringify(error ?? response)}`);
      }
      await send(`${url}/${target}/_refresh`, "POST");
      return { bare, found: performance.now() - started };
    }
    await pause(50);
  }
}
