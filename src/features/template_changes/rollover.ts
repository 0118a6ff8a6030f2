import { failureOf } from "../../migrations/search/cluster/answer.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { field } from "../../migrations/search/json/json_values.ts";
import { AnswerError, expectAnswer } from "../reindex/expect.ts";
import type { Target } from "./targets.ts";

export function rolloverPath({ name }: Target): string {
  return `/${encodeURIComponent(name)}/_rollover`;
}

/** Tries it without doing it. @returns the write index, and its successor @throws {AnswerError} */
export async function tryRollover(cluster: Cluster, target: Target) {
  const path = `${rolloverPath(target)}?dry_run=true`;
  const { json } = await expectAnswer(cluster, { method: "POST", path });
  return { index: String(field(json, "old_index")), next: String(field(json, "new_index")) };
}

/** @returns the write index after it; another client may have rolled over @throws {AnswerError | TransportError} */
export async function rollOver(cluster: Cluster, target: Target): Promise<string> {
  const { index, next } = await tryRollover(cluster, target);
  if (index !== target.index) return index;
  // An index is made once by its name; a data stream takes none.
  const name = target.kind === "write alias" ? `/${encodeURIComponent(next)}` : "";
  const request = { method: "POST", path: rolloverPath(target) + name };
  try {
    const answer = await cluster.send(request, { repeatSafe: false, once: true });
    const failure = failureOf(request, answer);
    if (failure !== undefined) throw new AnswerError(request, answer, failure.reason);
  } catch (error) {
    const mayBeDone = error instanceof AnswerError ||
      (error instanceof TransportError && error.mayHaveArrived);
    if (!mayBeDone || (await tryRollover(cluster, target)).index === target.index) throw error;
  }
  return next;
}
