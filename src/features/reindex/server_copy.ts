import { type Answer, describeFailure, errorType } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, isObject, listOf, objectOf } from "../../migrations/search/json/json_values.ts";
import { awaitTask, taskOf } from "../../migrations/search/cluster/tasks.ts";
import { RefusedDocumentsError } from "./arrivals.ts";
import { expectAnswer, StepError } from "./expect.ts";

export interface ServerCopy {
  readonly from: string;
  /** An alias that has to be there for as long as it writes. */
  readonly into: string;
  readonly after?: number;
  readonly upTo?: number;
  readonly batch: number;
  readonly slices: number | "auto";
  readonly pipeline?: string;
  readonly requestsPerSecond?: number;
  /** By which the task is found where its id got lost. */
  readonly opaqueId: string;
}

export async function startCopy(cluster: Cluster, copy: ServerCopy): Promise<string> {
  const { from, into, after, upTo, batch, slices, pipeline, requestsPerSecond, opaqueId } = copy;
  const parameters = [
    "wait_for_completion=false",
    `slices=${slices}`,
    "require_alias=true",
    ...(requestsPerSecond === undefined ? [] : [`requests_per_second=${requestsPerSecond}`]),
  ];
  const request = {
    method: "POST",
    path: `/_reindex?${parameters.join("&")}`,
    opaqueId,
    body: JSON.stringify({
      conflicts: "proceed",
      source: {
        index: from,
        size: batch,
        query: after === undefined && upTo === undefined
          ? { match_all: {} }
          : { range: { _seq_no: { gt: after, lte: upTo } } },
      },
      dest: { index: into, version_type: "external", ...(pipeline !== undefined && { pipeline }) },
    }),
  };
  // Twice is no harm: the same versions conflict, and are passed over.
  const answer = await expectAnswer(cluster, request);
  const task = taskOf(answer);
  if (task === undefined) throw new StepError(request, answer, describeFailure(answer));
  return task;
}

export interface CopyCount {
  readonly total: number;
  readonly done: number;
}

/** The number of documents, or why it has to be repeated: cancelled, unknown, busy shards. @throws {RefusedDocumentsError} */
export async function endOfCopy(
  cluster: Cluster,
  task: string,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: (count: CopyCount) => void;
    readonly check?: () => Promise<void>;
  },
): Promise<CopyCount | string> {
  const { signal, onProgress, check } = options;
  const found = await awaitTask(cluster, task, {
    signal,
    onLook: async (answer) => {
      onProgress?.(countIn(field(answer.json, "task", "status")));
      await check?.();
    },
  });
  if (!("ended" in found)) {
    if (found.goesOn) throw new Error(found.reason);
    return found.reason;
  }
  return resultOf(found.ended);
}

function resultOf({ json }: Answer): CopyCount | string {
  const response = field(json, "response");
  const failures = listOf(field(response, "failures"));
  const refused = failures.filter(isRefusal).map((failure) => {
    const cause = objectOf(field(failure, "cause"));
    const inner = objectOf(cause.caused_by);
    const because = inner.reason === undefined ? "" : `; ${inner.type}: ${inner.reason}`;
    return { id: String(field(failure, "id")), reason: `${cause.type}: ${cause.reason}${because}` };
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

function isRefusal(failure: unknown): boolean {
  return field(failure, "id") !== undefined && field(failure, "status") === 400;
}

function reasonIn(json: unknown): string {
  const response = field(json, "response");
  const failure = field(json, "error") ?? field(listOf(field(response, "failures"))[0], "cause") ??
    field(listOf(field(response, "failures"))[0], "reason");
  let inner = objectOf(failure);
  while (isObject(inner.caused_by)) inner = inner.caused_by;
  const canceled = field(response, "canceled") ??
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

export interface RunningCopy {
  readonly task: string;
  readonly opaqueId?: string;
}

export async function runningCopies(
  cluster: Cluster,
  names: readonly string[],
): Promise<readonly RunningCopy[]> {
  const path =
    "/_tasks?actions=*reindex&detailed&filter_path=nodes.*.tasks,node_failures,task_failures";
  const request = { method: "GET", path };
  const answer = await expectAnswer(cluster, request);
  const { json } = answer;
  const failed = ["node_failures", "task_failures"].flatMap((name) => listOf(field(json, name)));
  if (failed.length > 0) {
    throw new StepError(request, answer, `some tasks are unreadable: ${JSON.stringify(failed[0])}`);
  }
  const tasks = Object.values(objectOf(field(json, "nodes"))).flatMap((node) =>
    Object.entries(objectOf(field(node, "tasks")))
  );
  return tasks.flatMap(([task, found]) => {
    const isPart = field(found, "parent_task_id") !== undefined;
    const description = String(field(found, "description"));
    if (isPart || !names.some((name) => description.includes(`to [${name}]`))) return [];
    const opaqueId = field(found, "headers", "X-Opaque-Id");
    return [{ task, ...(typeof opaqueId === "string" && { opaqueId }) }];
  });
}

export async function cancelTask(cluster: Cluster, task: string): Promise<void> {
  const path = `/_tasks/${encodeURIComponent(task)}/_cancel?wait_for_completion=true`;
  const answer = await cluster.send({ method: "POST", path }, { repeatSafe: true });
  if (answer.status === 404 || errorType(answer) === "resource_not_found_exception") return;
  if (answer.status !== 200) {
    throw new StepError({ method: "POST", path }, answer, describeFailure(answer));
  }
}
