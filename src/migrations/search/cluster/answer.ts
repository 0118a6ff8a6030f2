import { printable } from "../../../text/mod.ts";
import { field, isObject, listOf, objectOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import { pluginPath } from "./request.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly host: string;
  /** Whether the request was sent before, and may have been applied then, because that answer was lost. */
  readonly repeated?: true;
  readonly retryAfterMs?: number;
}

export interface Failure {
  readonly reason: string;
  /** `partial`: a part is applied for good; `unknown`: it may have been applied. */
  readonly effect: "none" | "partial" | "unknown";
  readonly unacknowledged?: true;
}

interface ErrorBody {
  readonly type?: string;
  readonly reason?: string;
  readonly caused_by?: ErrorBody;
  readonly root_cause?: readonly ErrorBody[];
}

export function errorType(answer: Pick<Answer, "json">): string | undefined {
  return errorBody(answer)?.type;
}

/** Whether an index is blocked for writing, which is neither a missing right (403) nor load (429). */
export function isBlocked(answer: Pick<Answer, "json" | "status">): boolean {
  return errorType(answer) === "cluster_block_exception" && answer.status !== 503;
}

/** Whether the resource belongs to the cluster itself; that 403 is not a missing right (recorded, 2.19 and 3.4). */
export function isReserved({ json, status }: Pick<Answer, "json" | "status">): boolean {
  return status === 403 &&
    /^Resource '.*' is (?:static|reserved|hidden)/.test(String(field(json, "message")));
}

/** Whether a reindex or an update by query is partly done, although its status is that of a failure. */
export function isPartlyDone(answer: Pick<Answer, "json">): boolean {
  return COUNTED.some((name) => Number(field(answer.json, name)) > 0);
}

const COUNTED = ["created", "updated", "deleted"];

/** Whether a cluster is busy or not ready, and did nothing. Any other 503 may come from a proxy. */
export function isBusy({ status, json }: Pick<Answer, "json" | "status">): boolean {
  return status === 429 || (status === 503 && NOT_READY.includes(errorType({ json }) ?? "")) ||
    // All roles, users or tenants are one document, which another client changed meanwhile.
    (status === 409 && field(json, "status") === "CONFLICT");
}

const NOT_READY =
  ("cluster_block_exception unavailable_shards_exception no_shard_available_action_exception " +
    "master_not_discovered_exception cluster_manager_not_discovered_exception").split(" ");

/** Whether this path has no endpoint: a plugin is not installed, or the cluster is of another kind. */
export function hasNoHandler({ status, text }: Answer): boolean {
  // Amazon answers 401 for paths that it does not offer.
  if (status === 401) return /Your request: .* is not allowed/.test(text);
  // Elasticsearch reads the path of an absent module as the name of an index.
  return (status === 400 || status === 405) &&
    /no handler found for uri|Incorrect HTTP method for uri|Invalid index name \[_\w+\], must not start/
      .test(text);
}

export function describeFailure(answer: Answer): string {
  const status = `HTTP ${answer.status}`;
  if (answer.status >= 300 && answer.status <= 399) {
    return `${status}: redirects are not followed, to protect the credentials`;
  }
  const waitMs = answer.retryAfterMs ?? 0;
  const wait = waitMs > 0 ? ` (it asks to wait ${Math.ceil(waitMs / 1000)} s)` : "";
  const error = errorBody(answer);
  if (!error) {
    const text = plainMessage(answer) ?? answer.text.trim().replace(/^\{\}$/, "");
    return [`${status}${wait}`, shorten(text)].filter((part) => part !== "").join(": ");
  }
  const reason = error.reason ?? "";
  const isFull = /flood-stage watermark|\/12\//.test(reason);
  const full = isFull ? "; the disk of a node is full: free space on it first" : "";
  return `${status}${wait}: ${error.type}: ${shorten(reason + causeOf(error))}${full}`;
}

function causeOf(error: ErrorBody): string {
  let inner = error;
  while (inner.caused_by) inner = inner.caused_by;
  // When all shards have failed, only `root_cause` has the cause.
  if (inner === error) inner = error.root_cause?.[0] ?? error;
  const [reason, cause] = [error.reason ?? "", inner.reason ?? ""];
  const isNew = cause !== "" && !reason.includes(cause) && !cause.includes(reason);
  return isNew ? `; caused by ${inner.type}: ${cause}` : "";
}

/** A message without `error.type`: of plugins, of the gateway of Amazon, which repeats the whole request below it. */
function plainMessage({ json }: Answer): string | undefined {
  const messages = [field(json, "error"), securityReason(json)];
  const found = [...messages, field(json, "message"), field(json, "Message")]
    .find((message) => typeof message === "string");
  return found?.split("\n\n")[0];
}

/** The security plugin answers with a status and a message, or with a reason and details. */
function securityReason(json: unknown): string | undefined {
  const { status, message, reason, ...about } = objectOf(json);
  if (typeof status !== "string") return undefined;
  if (typeof message === "string") return `${status}: ${message}`;
  const details = Object.entries(about).map(([name, value]) =>
    `${name}: ${field(value, "keys") ?? value}`
  );
  return typeof reason === "string" ? [reason, ...details].join("; ") : undefined;
}

/**
 * Describes a failure, even inside a success: a failed status, an answer that is not from a cluster, failed items of a bulk,
 * failures of a reindex, an operation that was not acknowledged.
 * @returns `undefined` for a success
 */
export function failureOf(request: SearchRequest, answer: Answer): Failure | undefined {
  const { status, json } = answer;
  if (status < 200 || status > 299) {
    // A reindex that failed in part answers 400 or 409, with its failures and without an error (tried, 2.19 and 3.4).
    const parts = errorBody(answer) ? undefined : partsFailure(answer);
    if (parts) return parts;
    const isDoubtful = mayBeDone(answer) || mayBePart(request, answer);
    return { reason: describeFailure(answer), effect: isDoubtful ? "unknown" : "none" };
  }
  if (promisesJson(request, answer) && !isObject(json) && !Array.isArray(json)) {
    // Truncated JSON is the cluster's own, and may contain secrets.
    const isCutOff = /^\s*[{[]/.test(answer.text);
    const what = /^\s*</.test(answer.text) ? "HTML or XML" : "no JSON";
    const reason = isCutOff
      ? `HTTP ${status} with invalid or truncated JSON (${answer.text.length} characters)`
      : `HTTP ${status} with ${what}, as from a proxy or a login page: ` +
        shorten(answer.text.trim());
    return { reason, effect: "unknown" };
  }
  // The error of a cluster, whose status a proxy has changed.
  if (errorBody(answer)) return { reason: describeFailure(answer), effect: "unknown" };
  return failureOfParts(answer) ?? confirmationFailure(request, answer);
}

/** Errors of a client are found before any work; errors of a server may come after it, and a conflict amid it. */
function mayBeDone(answer: Answer): boolean {
  const { status, repeated } = answer;
  // Proxies answer 408 when they have waited for the answer.
  return repeated === true || status === 408 ||
    ((status === 409 || status >= 500) && !isBusy(answer));
}

/** Work on documents stops at the first failure; these errors are found before any document. */
const BEFORE_WORK =
  ("parsing_exception x_content_parse_exception named_object_not_found_exception " +
    "index_not_found_exception action_request_validation_exception security_exception").split(" ");

function mayBePart({ path }: SearchRequest, answer: Answer): boolean {
  return /\/_(?:update_by_query|delete_by_query|reindex)(?:\?|$)/.test(path) &&
    !BEFORE_WORK.includes(errorType(answer) ?? "");
}

/** Only requests that ask for text, and a few endpoints, have an answer that is not JSON. */
function promisesJson({ method, path }: SearchRequest, { status }: Answer): boolean {
  if (method === "HEAD" || status === 204) return false;
  const { pathname, searchParams } = new URL(path, "http://cluster");
  const format = searchParams.get("format");
  if (format !== null) return format === "json";
  return !/^\/_cat(?:\/|$)|\/hot_?threads$/.test(pathname);
}

export function failureOfParts(answer: Answer): Failure | undefined {
  return bulkFailure(answer.json) ?? partsFailure(answer);
}

function bulkFailure(json: unknown): Failure | undefined {
  if (field(json, "errors") !== true) return undefined;
  const results = listOf(field(json, "items")).flatMap((item) => Object.values(objectOf(item)));
  const errors = results.map((result) => field(result, "error"))
    .filter((error) => error !== undefined);
  const [first = json] = errors;
  const done = results.length - errors.length;
  const counts = results.length === 0
    ? "some items failed"
    : `${errors.length} of ${results.length} items failed`;
  const example = typeof first === "string" ? first : JSON.stringify(first);
  return {
    reason: `${counts}, first ${shorten(example)}`,
    effect: results.length > 0 && done === 0 ? "none" : "partial",
  };
}

function partsFailure({ json, text }: Answer): Failure | undefined {
  const failures = field(json, "failures");
  if (Array.isArray(failures) && failures.length > 0) {
    const counts = COUNTED.map((name) => [name, field(json, name)])
      .filter(([, count]) => Number(count) > 0);
    const done = counts.map(([name, count]) => `${count} ${name}`).join(", ");
    const reason = `${failures.length} failures, first ${shorten(JSON.stringify(failures[0]))}` +
      (done === "" ? "" : `; ${done}`);
    return { reason, effect: done === "" ? "none" : "partial" };
  }
  const updated = field(json, "updated_indices");
  if (failures === true) {
    const effect = updated === 0 ? "none" : "partial";
    return { reason: `some parts failed: ${shorten(text)}`, effect };
  }
  if (updated === 0) return { reason: "it matched no index, so nothing was done", effect: "none" };
}

const ACKNOWLEDGED = ["acknowledged"];
const ANSWERS: readonly (readonly [methods: RegExp, path: RegExp, names: readonly string[]])[] = [
  [/PUT|POST|DELETE/, /^\/_(?:index_|component_)?template\/[^/]+$/, ACKNOWLEDGED],
  [/PUT|DELETE/, /^\/_(?:ingest|search)\/pipeline\/[^/]+$/, ACKNOWLEDGED],
  [/PUT|POST|DELETE/, /^\/_scripts\/[^/]+(?:\/(?!_)[^/]+)?$/, ACKNOWLEDGED],
  [/PUT|DELETE/, /^\/_(?:ilm|slm)\/policy\/[^/]+$/, ACKNOWLEDGED],
  [/PUT|DELETE/, /^\/_(?:data_stream|snapshot)\/[^/]+$/, ACKNOWLEDGED],
  [/POST/, /^\/_aliases$/, ACKNOWLEDGED],
  [/PUT/, /^\/_cluster\/settings$/, ACKNOWLEDGED],
  [/PUT|POST/, /^(?:\/[^_/][^/]*)?\/_(?:mappings?|settings)$/, ACKNOWLEDGED],
  [/PUT|POST|DELETE/, /^\/[^_/][^/]*\/_alias(?:es)?\/[^/]+$/, ACKNOWLEDGED],
  [/PUT|DELETE/, /^\/[^_/][^/]*$/, ACKNOWLEDGED],
  [/PUT|POST|DELETE/, /\/_(?:doc|create|update)(?:\/[^/]+)?$/, ["result"]],
  [/PUT|POST/, /\/_bulk$/, ["items"]],
  [/POST/, /\/_(?:update_by_query|delete_by_query|reindex)$/, ["took", "task"]],
  [/POST/, /\/_rollover(?:\/[^/]+)?$/, ["rolled_over"]],
  [/PUT|PATCH|DELETE/, pluginPath("_security/api/[^/]+(?:/[^/]+)?"), ["status"]],
  [
    /PUT|POST/,
    /^\/_security\/(?:role|role_mapping|user)\/[^/]+$/,
    ["role", "role_mapping", "created"],
  ],
];

/** An operation that the cluster did not confirm, or an answer of a proxy in place of the endpoint's. */
function confirmationFailure(
  { method, path }: SearchRequest,
  { json, text }: Answer,
): Failure | undefined {
  const acknowledged = field(json, "acknowledged");
  // A rollover whose conditions are not met, or a dry run of one, is not acknowledged.
  if (acknowledged !== true && field(json, "rolled_over") === false) {
    if (field(json, "dry_run") === true) return undefined;
    return { reason: "no condition was met, so nothing was rolled over", effect: "none" };
  }
  if (acknowledged === false) {
    const reason = "the cluster did not acknowledge it in time";
    return { reason, effect: "unknown", unacknowledged: true };
  }
  const { pathname, searchParams } = new URL(path, "http://cluster");
  if (searchParams.has("filter_path")) return undefined;
  const [, , expected = []] =
    ANSWERS.find(([methods, pattern]) => methods.test(method) && pattern.test(pathname)) ?? [];
  const names = searchParams.get("wait_for_completion") === "false" ? ["task"] : expected;
  const isThere = (name: string) =>
    name === "acknowledged" ? acknowledged === true : field(json, name) !== undefined;
  if (names.length === 0 || names.some(isThere)) return undefined;
  const wanted = names === ACKNOWLEDGED ? "acknowledged: true" : names.join("' or '");
  const reason = `expected '${wanted}', found ${shorten(text.trim()) || "nothing"}`;
  return { reason, effect: "unknown" };
}

function errorBody({ json }: Pick<Answer, "json">): ErrorBody | undefined {
  const error = field(json, "error");
  return isObject(error) ? error as ErrorBody : undefined;
}

function shorten(text: string): string {
  return printable(text.length > 1000 ? `${text.slice(0, 1000)}…` : text);
}
