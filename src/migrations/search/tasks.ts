import { jittered, pause } from "../runner/mod.ts";
import { type Answer, errorType, type Failure, failureOf, failureOfParts } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import { field, isObject } from "./json_values.ts";

/** First and longest pause between two looks at a task. */
const POLL_MS = { first: 100, longest: 5000 };

/** Id of the work that the cluster has taken into the background: the answer of `wait_for_completion=false`. */
export function taskOf({ status, json }: Answer): string | undefined {
  const task = field(json, "task");
  return status === 200 && typeof task === "string" ? task : undefined;
}

/** How many looks at a task may fail one after the other. */
const FAILED_LOOKS = 5;

/**
 * Follows a task to its end.
 *
 * @param signal ends the waiting; its reason is thrown
 * @returns what went wrong in it, `undefined` when nothing did; that it `goesOn` when that is all that is known
 */
export async function followTask(
  cluster: Cluster,
  task: string,
  signal?: AbortSignal,
): Promise<Failure & { readonly goesOn?: true } | undefined> {
  const request = { method: "GET", path: `/_tasks/${encodeURIComponent(task)}` };
  let failed = 0;
  for (let waitMs = POLL_MS.first;; waitMs = Math.min(waitMs * 2, POLL_MS.longest)) {
    const answer = await cluster.send(request, { repeatSafe: true, signal });
    if (field(answer.json, "completed") === true) return failureIn(answer, task);
    if (errorType(answer) === "resource_not_found_exception") {
      const reason = `the cluster does not know the task '${task}' any more`;
      return { reason, effect: "unknown" };
    }
    // That it cannot be looked at says nothing about the task.
    const failure = failureOf(request, answer);
    failed = failure ? failed + 1 : 0;
    if (failure && failed === FAILED_LOOKS) {
      const reason = `task '${task}' may still go on, and cannot be looked at: ${failure.reason}`;
      return { reason, effect: "unknown", goesOn: true };
    }
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
  if (response === undefined) {
    const reason = `task '${task}' is over, and the cluster does not say what came of it`;
    return { reason, effect: "unknown" };
  }
  const canceled = field(response, "canceled");
  if (typeof canceled === "string") {
    return { reason: `task '${task}' was cancelled: ${canceled}`, effect: "partial" };
  }
  return failureOfParts({ ...answer, json: response });
}
