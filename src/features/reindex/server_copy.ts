import { type Answer, errorType } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, isObject, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { awaitTask } from "../../migrations/search/cluster/tasks.ts";
import { RefusedDocumentsError } from "./arrivals.ts";
import { isRefusal, refusalOf } from "./bulk.ts";
import { type CopyState, copyTarget } from "./copy_state.ts";
import { AnswerError, expectAnswer } from "../live_indices/expect.ts";
import type { IndexPair } from "./pair.ts";

interface CopyCount {
  readonly total: number;
  readonly done: number;
}

/** The number of documents, or why it has to be repeated: cancelled, unknown, busy shards. @throws {RefusedDocumentsError} */
export async function endOfCopy(
  cluster: Cluster,
  task: string,
  onLook: (count: CopyCount) => Promise<void>,
  signal?: AbortSignal,
): Promise<CopyCount | string> {
  const found = await awaitTask(cluster, task, {
    signal,
    onLook: ({ json }) => onLook(countIn(field(json, "task", "status"))),
  });
  if ("ended" in found) return resultOf(found.ended);
  if (found.goesOn) throw new Error(found.reason);
  return found.reason;
}

function resultOf({ json }: Answer): CopyCount | string {
  const response = field(json, "response");
  const failures = listOf(field(response, "failures"));
  const refused = failures.map(objectOf).flatMap(({ id, status, cause: found }) => {
    const cause = objectOf(found);
    if (id === undefined || !isRefusal(status, cause.type)) return [];
    return [{ id: String(id), reason: `${cause.type}: ${refusalOf(cause)}` }];
  });
  if (refused.length > 0) throw new RefusedDocumentsError(refused);
  const isWhole = isObject(response) && field(json, "error") === undefined &&
    failures.length === 0 &&
    field(response, "canceled") === undefined && field(response, "timed_out") === false;
  if (!isWhole) return reasonIn(json);
  const count = countIn(response);
  return count.done === count.total
    ? count
    : `it went through ${count.done} of ${count.total} documents`;
}

function reasonIn(json: unknown): string {
  const [first] = listOf(field(json, "response", "failures"));
  const failure = field(json, "error") ?? field(first, "cause") ?? field(first, "reason");
  let inner = objectOf(failure);
  while (isObject(inner.caused_by)) inner = inner.caused_by;
  const canceled = field(json, "response", "canceled") ??
    field(json, "task", "status", "canceled");
  return inner.reason !== undefined
    ? `${inner.type}: ${inner.reason}`
    : typeof canceled === "string"
    ? `it was cancelled ${canceled}`
    : "it does not say why";
}

function countIn(status: unknown): CopyCount {
  const slices = listOf(field(status, "slices")).filter(isObject);
  const own = (name: string) => Number(field(status, name) ?? 0);
  // As long as slices are at work, the whole counts those alone that are done.
  const number = (name: string) =>
    own("total") > 0 ? own(name) : slices.reduce((sum, part) => sum + Number(part[name] ?? 0), 0);
  const counted = ["created", "updated", "version_conflicts", "noops", "deleted"];
  return { total: number("total"), done: counted.reduce((sum, name) => sum + number(name), 0) };
}

/** Those that write into the new index of a copy; where the id of one got lost, its `opaqueId` tells which it is. */
export async function runningCopies({ cluster }: IndexPair, state: CopyState) {
  const names = [state.to, copyTarget(state)];
  const path =
    "/_tasks?actions=*reindex&detailed&filter_path=nodes.*.tasks,node_failures,task_failures";
  const request = { method: "GET", path };
  const answer = await expectAnswer(cluster, request);
  const { json } = answer;
  const failed = ["node_failures", "task_failures"].flatMap((name) => listOf(field(json, name)));
  if (failed.length > 0) {
    throw new AnswerError(
      request,
      answer,
      `some tasks are unreadable: ${JSON.stringify(failed[0])}`,
    );
  }
  const tasks = Object.values(objectOf(field(json, "nodes"))).flatMap((node) =>
    Object.entries(objectOf(field(node, "tasks")))
  );
  return tasks.flatMap(([task, found]) => {
    const isPart = field(found, "parent_task_id") !== undefined;
    const description = String(field(found, "description"));
    if (isPart || !names.some((name) => description.includes(`to [${name}]`))) return [];
    return [{ task, opaqueId: field(found, "headers", "X-Opaque-Id") }];
  });
}

export async function cancelTask(pair: IndexPair, task: string): Promise<void> {
  const path = `/_tasks/${encodeURIComponent(task)}/_cancel?wait_for_completion=true`;
  const isGone = (answer: Answer) =>
    answer.status === 404 || errorType(answer) === "resource_not_found_exception";
  await pair.send({ method: "POST", path }, isGone);
}
