import { failureOf } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { copyMarker, type CopyState } from "./copy_state.ts";
import { leftFields } from "./difference.ts";
import { CopyRefusedError } from "./expect.ts";
import { type LiveIndex, readIndex } from "./live_index.ts";

/**
 * Gives the new index the fields of the old one that the file does not name, so that their documents stay what they are; a
 * dynamic mapping, or a user, may have created them meanwhile.
 *
 * @throws {CopyRefusedError} when they do not go with those that the new index has
 */
export async function bringFields(
  cluster: Cluster,
  state: CopyState,
  live: LiveIndex,
  ensureHeld: () => Promise<void>,
): Promise<void> {
  const made = await readIndex(cluster, state.to);
  const left = made && leftFields(made.mappings, live.mappings);
  if (left === undefined) return;
  await ensureHeld();
  const path = `/${copyMarker(state)}/_mapping`;
  const body = JSON.stringify({ properties: left.properties ?? {} });
  const request = { method: "PUT", path, body };
  const answer = await cluster.send(request, { repeatSafe: true });
  const failure = failureOf(request, answer);
  if (failure === undefined) return;
  throw new CopyRefusedError(
    `Fields of '${live.name}' that the file does not name conflict with the fields of the new index: ${failure.reason}`,
  );
}
