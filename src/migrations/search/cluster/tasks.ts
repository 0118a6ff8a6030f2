import { jittered, pause } from "../../runner/mod.ts";
import { type Answer, errorType, type Failure, failureOf, failureOfParts } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import { field, isObject, objectOf } from "../json/json_values.ts";

/** Pauses between two reads of a task, in milliseconds: its time so far, multiplied by `share`. */
const POLL = { shortestMs: 50, longestMs: 2000, share: 0.01 };

/** The id of work in the background: the answer of `wait_for_completion=false`. */
export function taskOf({ status, json }: Answer): string | undefined {
  const task = field(json, "task");
  return status === 200 && typeof task === "string" ? task : undefined;
}

const FAILED_LOOKS = 5;

export async function awaitTask(
  cluster: Cluster,
  task: string,
  { signal, onLook }: {
    readonly signal?: AbortSignal | undefined;
    readonly onLook?: (answer: Answer) => void | Promise<void>;
  },
): Promise<{ readonly ended: Answer } | { readonly reason: string; readonly goesOn: boolean }> {
  const request = { method: "GET", path: `/_tasks/${encodeURIComponent(task)}` };
  const started = performance.now();
  let failed = 0;
  while (true) {
    const answer = await cluster.send(request, { repeatSafe: true, signal });
    if (field(answer.json, "completed") === true) return { ended: answer };
    if (errorType(answer) === "resource_not_found_exception") {
      return { reason: `the cluster no longer knows the task '${task}'`, goesOn: false };
    }
    // A failed read does not mean a failed task.
    const failure = failureOf(request, answer);
    failed = failure ? failed + 1 : 0;
    if (failure && failed === FAILED_LOOKS) {
      const reason = `task '${task}' may still run, and cannot be read: ${failure.reason}`;
      return { reason, goesOn: true };
    }
    await onLook?.(answer);
    const shareMs = (performance.now() - started) * POLL.share;
    await pause(jittered(Math.min(Math.max(shareMs, POLL.shortestMs), POLL.longestMs)), signal);
  }
}

export async function followTask(
  cluster: Cluster,
  task: string,
  signal?: AbortSignal,
): Promise<Failure & { readonly goesOn?: true } | undefined> {
  const found = await awaitTask(cluster, task, { signal });
  if ("ended" in found) return failureIn(found.ended, task);
  return { reason: found.reason, effect: "unknown", ...(found.goesOn && { goesOn: true }) };
}

export function failureIn(answer: Answer, task: string): Failure | undefined {
  const { error, response } = objectOf(answer.json);
  if (isObject(error)) {
    return { reason: `task '${task}' failed: ${error.type}: ${error.reason}`, effect: "unknown" };
  }
  if (response === undefined) {
    const reason = `task '${task}' is finished, and the cluster does not return its result`;
    return { reason, effect: "unknown" };
  }
  const canceled = field(response, "canceled");
  if (typeof canceled === "string") {
    return { reason: `task '${task}' was cancelled: ${canceled}`, effect: "partial" };
  }
  return failureOfParts({ ...answer, json: response });
}
