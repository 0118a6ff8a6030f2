import { jittered, pause } from "../runner/mod.ts";
import { type Answer, type Failure, failureOf } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import { field, isObject } from "./json_values.ts";

/** First and longest pause between two looks at a task. */
const POLL_MS = { first: 100, longest: 5000 };

/** Id of the work that the cluster has taken into the background: the answer of `wait_for_completion=false`. */
export function taskOf({ status, json }: Answer): string | undefined {
  const task = field(json, "task");
  return status === 200 && typeof task === "string" ? task : undefined;
}

/**
 * Follows a task to its end.
 *
 * @param signal ends the waiting; its reason is thrown
 * @returns what went wrong in it, `undefined` when nothing did
 */
export async function followTask(
  cluster: Cluster,
  task: string,
  signal?: AbortSignal,
): Promise<Failure | undefined> {
  const request = { method: "GET", path: `/_tasks/${encodeURIComponent(task)}` };
  for (let waitMs = POLL_MS.first;; waitMs = Math.min(waitMs * 2, POLL_MS.longest)) {
    const answer = await cluster.send(request, { repeatSafe: true });
    if (answer.status === 404) {
      const reason = `the cluster does not know the task '${task}' any more`;
      return { reason, effect: "unknown" };
    }
    const failure = failureOf(request, answer);
    if (failure) return { ...failure, effect: "unknown" };
    if (field(answer.json, "completed") === true) return failureIn(answer, task);
    await pause(jittered(waitMs), signal);
  }
}

function failureIn(answer: Answer, task: string): Failure | undefined {
  const error = field(answer.json, "error");
  if (isObject(error)) {
    const reason = `task '${task}' failed: ${error.type}: ${error.reason}`;
    return { reason, effect: "unknown" };
  }
  const response = field(answer.json, "response");
  const canceled = field(response, "canceled");
  if (typeof canceled === "string") {
    return { reason: `task '${task}' was cancelled: ${canceled}`, effect: "partial" };
  }
  return failureOf({ method: "POST", path: "/_reindex" }, { ...answer, json: response ?? {} });
}
