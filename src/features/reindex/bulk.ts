import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import { describeFailure } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, isObject, type Json, listOf } from "../../migrations/search/json/json_values.ts";
import type { DocumentKey, StoredDocument } from "./documents.ts";
import { AnswerError } from "../live_indices/expect.ts";

export interface Written {
  readonly status: number;
  /** `noop` where a pipeline has dropped it. */
  readonly result?: string;
  readonly error?: { readonly type: string; readonly reason: string };
}

/** Whether it is the document that is refused, and not the server that fails: a `fail` processor has the status 500. */
export function isRefusal(status: unknown, type: unknown): boolean {
  return status === 400 || type === "fail_processor_exception";
}

const TRIES = 8;

/** Bytes that one request carries, about: clusters take from 10 MB on. */
const MOST_BYTES = 5_000_000;

export function writing(document: StoredDocument): string {
  const version = `"version":${document.version},"version_type":"external"`;
  return `{"index":{${target(document)},${version}}}\n${document.source}\n`;
}

export function deleting(key: DocumentKey): string {
  return `{"delete":{${target(key)}}}\n`;
}

/** Sends what is written and deleted through an alias; what a busy cluster turns away is sent again. */
export async function sendBulk(
  cluster: Cluster,
  alias: string,
  lines: readonly string[],
  pipeline?: string,
): Promise<readonly Written[]> {
  const through = pipeline === undefined ? "" : `&pipeline=${encodeURIComponent(pipeline)}`;
  const path = `/${encodeURIComponent(alias)}/_bulk?require_alias=true${through}`;
  const results: Written[] = [];
  let left: readonly number[] = [...lines.keys()];
  for (let attempt = 1; left.length > 0 && attempt <= TRIES; attempt++) {
    if (attempt > 1) await pause(backOffMs(attempt));
    for (const part of inParts(left, lines)) {
      const sent = await sendOnce(cluster, path, part.map((index) => lines[index]!));
      for (const [position, index] of part.entries()) results[index] = sent[position]!;
    }
    left = left.filter((index) => isTurnedAway(results[index]!));
  }
  return results;
}

async function sendOnce(
  cluster: Cluster,
  path: string,
  lines: readonly string[],
): Promise<readonly Written[]> {
  const body = lines.join("");
  const request = { method: "POST", path, body, contentType: "application/x-ndjson" };
  const answer = await cluster.send(request, { repeatSafe: true });
  const items = listOf(field(answer.json, "items"));
  if (answer.status !== 200 || items.length !== lines.length) {
    throw new AnswerError(request, answer, describeFailure(answer));
  }
  return items.map(writtenOf);
}

function target({ id, routing }: DocumentKey): string {
  return JSON.stringify({ _id: id, routing }).slice(1, -1);
}

function inParts(left: readonly number[], lines: readonly string[]) {
  let [part, bytes] = [0, 0];
  return Map.groupBy(left, (index) => {
    const { length } = lines[index]!;
    bytes += length;
    if (bytes > MOST_BYTES && bytes > length) [part, bytes] = [part + 1, length];
    return part;
  }).values();
}

/** A disk that is full turns writes away, too, and goes on doing so. */
function isTurnedAway({ status, error }: Written): boolean {
  return (status === 429 || status === 503) && error?.type !== "cluster_block_exception";
}

function writtenOf(item: unknown): Written {
  const result = isObject(item) ? Object.values(item)[0] : undefined;
  const error = field(result, "error");
  const status = Number(field(result, "status"));
  if (!isObject(error)) return { status, result: String(field(result, "result")) };
  return { status, error: { type: String(error.type), reason: refusalOf(error) } };
}

/** Why a document is refused, without the type: the reason stands in the innermost. */
export function refusalOf({ reason, caused_by }: Json): string {
  return isObject(caused_by) ? `${reason}; ${caused_by.type}: ${caused_by.reason}` : `${reason}`;
}
