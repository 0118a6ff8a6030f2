import { printable } from "../../../text/mod.ts";
import { field, isObject, listOf, objectOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";

/** What a cluster answered. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The body parsed as JSON, `undefined` when it is none. */
  readonly json: unknown;
  /** The host that answered, without credentials. */
  readonly host: string;
  /** Whether it was sent before, with an answer that got lost: it may have been done then. */
  readonly repeated?: true;
  /** What the cluster asked to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** What is wrong with an answer, and what it says of what was done. */
export interface Failure {
  /** As one line. */
  readonly reason: string;
  /** `none`: the cluster did nothing. `partial`: a part is done for good. `unknown`: it may have been done. */
  readonly effect: "none" | "partial" | "unknown";
  /** Whether the cluster took the request and could not confirm it in time. */
  readonly unacknowledged?: true;
}

interface ErrorBody {
  readonly type?: string;
  readonly reason?: string;
  readonly caused_by?: ErrorBody;
  readonly root_cause?: readonly ErrorBody[];
}

/** `error.type` of an answer, such as `resource_already_exists_exception`. */
export function errorType(answer: Pick<Answer, "json">): string | undefined {
  return errorBody(answer)?.type;
}

/** Whether an index is blocked for writing. Such blocks come as 403 and 429, and are no matter of rights or load. */
export function isBlocked(answer: Pick<Answer, "json" | "status">): boolean {
  return errorType(answer) === "cluster_block_exception" && answer.status !== 503;
}

/**
 * Whether what was to be changed is the cluster's own. That comes as 403, and is no matter of rights (recorded, 2.19 and
 * 3.4).
 */
export function isReserved({ json, status }: Pick<Answer, "json" | "status">): boolean {
  return status === 403 &&
    /^Resource '.*' is (?:static|reserved|hidden)/.test(String(field(json, "message")));
}

/** Whether a part of the work is done for good although the status says otherwise: of a reindex, an update by query. */
export function isPartlyDone(answer: Pick<Answer, "json">): boolean {
  return COUNTED.some((name) => Number(field(answer.json, name)) > 0);
}

/** What a reindex, an update or a deletion by query counts. */
const COUNTED = ["created", "updated", "deleted"];

/**
 * Whether a cluster says that it is busy, or not ready, before it did anything. What else comes with 503 may be a proxy's
 * word for a connection that broke behind it.
 */
export function isBusy({ status, json }: Pick<Answer, "json" | "status">): boolean {
  return status === 429 || (status === 503 && NOT_READY.includes(errorType({ json }) ?? "")) ||
    // All roles, users or tenants are one document, which another client has written meanwhile.
    (status === 409 && field(json, "status") === "CONFLICT");
}

/** Of 503, what is said in place of any work. */
const NOT_READY = [
  ...["cluster_block_exception", "unavailable_shards_exception"],
  ...["no_shard_available_action_exception", "master_not_discovered_exception"],
  ...["cluster_manager_not_discovered_exception"],
];

/** Whether there is no endpoint of this path: a plugin is not installed, or the cluster is of another kind. */
export function hasNoHandler({ status, text }: Answer): boolean {
  // Amazon refuses paths that it does not offer as if it were a matter of credentials.
  if (status === 401) return /Your request: .* is not allowed/.test(text);
  // Elasticsearch takes the path of a module that is absent for the name of an index.
  return (status === 400 || status === 405) &&
    /no handler found for uri|Incorrect HTTP method for uri|Invalid index name \[_\w+\], must not start/
      .test(text);
}

/** What a cluster complains about, as one line: status, type, reason and the innermost cause. */
export function describeFailure(answer: Answer): string {
  const status = `HTTP ${answer.status}`;
  if (answer.status >= 300 && answer.status <= 399) {
    return `${status}: redirects are not followed, to keep credentials where they belong`;
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

/** The innermost cause, where it adds something to the reason. */
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

/** How the security plugin complains: a status and a message, or a reason and what it is about. */
function securityReason(json: unknown): string | undefined {
  const { status, message, reason, ...about } = objectOf(json);
  if (typeof status !== "string") return undefined;
  if (typeof message === "string") return `${status}: ${message}`;
  const details = Object.entries(about).map(([name, value]) => {
    return `${name}: ${field(value, "keys") ?? value}`;
  });
  return typeof reason === "string" ? [reason, ...details].join("; ") : undefined;
}

/**
 * What went wrong, be it inside a success: a status that is none, an answer that is not of a cluster, failed items of a
 * bulk, failures of a reindex, an operation that was not acknowledged.
 *
 * @returns `undefined` when nothing did
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
    // What is cut off is the cluster's own, and may hold secrets.
    const isCutOff = /^\s*[{[]/.test(answer.text);
    const what = /^\s*</.test(answer.text) ? "HTML or XML" : "no JSON";
    const reason = isCutOff
      ? `HTTP ${status} with JSON that is broken or cut off (${answer.text.length} characters)`
      : `HTTP ${status} with ${what}, as a proxy or a log-in page gives: ` +
        shorten(answer.text.trim());
    return { reason, effect: "unknown" };
  }
  return hiddenFailure(answer) ?? failureOfParts(answer) ??
    confirmationFailure(request, answer) ?? shapeFailure(request, answer);
}

/**
 * Clients' faults are found before anything is done. Faults of a server may come behind it, and a conflict in the middle
 * of it.
 */
function mayBeDone(answer: Answer): boolean {
  const { status, repeated } = answer;
  // 408 is what proxies say that have waited for the answer.
  return repeated === true || status === 408 ||
    ((status === 409 || status >= 500) && !isBusy(answer));
}

/** What is done document by document stops at the first whose script or mapping fails; this is found before any. */
const BEFORE_WORK = [
  ...["parsing_exception", "x_content_parse_exception", "named_object_not_found_exception"],
  ...["index_not_found_exception", "action_request_validation_exception", "security_exception"],
];

function mayBePart({ path }: SearchRequest, answer: Answer): boolean {
  return /\/_(?:update_by_query|delete_by_query|reindex)(?:\?|$)/.test(path) &&
    !BEFORE_WORK.includes(errorType(answer) ?? "");
}

/** An error in the body of a success: what stands between has changed the status. */
function hiddenFailure(answer: Answer): Failure | undefined {
  if (!errorBody(answer)) return undefined;
  return { reason: describeFailure(answer), effect: "unknown" };
}

/** Texts come where they are asked for, and from the few endpoints that have nothing else. */
function promisesJson({ method, path }: SearchRequest, { status }: Answer): boolean {
  if (method === "HEAD" || status === 204) return false;
  const { pathname, searchParams } = new URL(path, "http://cluster");
  const format = searchParams.get("format");
  if (format !== null) return format === "json";
  return !/^\/_cat(?:\/|$)|\/hot_?threads$/.test(pathname);
}

/** What went wrong in a part of the work, as a bulk, a reindex and the answer of a task say it. */
export function failureOfParts(answer: Answer): Failure | undefined {
  return bulkFailure(answer.json) ?? partsFailure(answer);
}

function bulkFailure(json: unknown): Failure | undefined {
  if (field(json, "errors") !== true) return undefined;
  const results = listOf(field(json, "items")).flatMap((item) =>
    isObject(item) ? Object.values(item) : []
  );
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

/** Of a reindex, an update or a deletion by query; and of index state management, which says it in one word. */
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

/** Requests whose answers say that they were acknowledged. */
const CONFIRMED: readonly (readonly [methods: RegExp, path: RegExp])[] = [
  [/PUT|POST|DELETE/, /^\/_(?:index_|component_)?template\/[^/]+$/],
  [/PUT|DELETE/, /^\/_(?:ingest|search)\/pipeline\/[^/]+$/],
  [/PUT|POST|DELETE/, /^\/_scripts\/[^/]+(?:\/(?!_)[^/]+)?$/],
  [/PUT|DELETE/, /^\/_(?:ilm|slm)\/policy\/[^/]+$/],
  [/PUT|DELETE/, /^\/_(?:data_stream|snapshot)\/[^/]+$/],
  [/POST/, /^\/_aliases$/],
  [/PUT/, /^\/_cluster\/settings$/],
  [/PUT|POST/, /^(?:\/[^_/][^/]*)?\/_(?:mappings?|settings)$/],
  [/PUT|POST|DELETE/, /^\/[^_/][^/]*\/_alias(?:es)?\/[^/]+$/],
  [/PUT|DELETE/, /^\/[^_/][^/]*$/],
];

function confirmationFailure(
  { method, path }: SearchRequest,
  { json, text }: Answer,
): Failure | undefined {
  const acknowledged = field(json, "acknowledged");
  if (acknowledged === true) return undefined;
  // A rollover whose conditions are not met, or that was only tried, is not acknowledged.
  if (field(json, "rolled_over") === false) {
    if (field(json, "dry_run") === true) return undefined;
    return { reason: "no condition was met, so nothing was rolled over", effect: "none" };
  }
  if (acknowledged === false) {
    const reason = "the cluster did not acknowledge it in time";
    return { reason, effect: "unknown", unacknowledged: true };
  }
  const { pathname: target, searchParams } = new URL(path, "http://cluster");
  if (searchParams.has("filter_path")) return undefined;
  const isExpected = CONFIRMED.some(([methods, pattern]) =>
    methods.test(method) && pattern.test(target)
  );
  if (!isExpected) return undefined;
  const reason = `expected 'acknowledged: true', found ${shorten(text.trim()) || "nothing"}`;
  return { reason, effect: "unknown" };
}

/** What the answers of endpoints have that give no `acknowledged`; one of the fields is enough. */
const SHAPES: readonly (readonly [methods: RegExp, path: RegExp, fields: readonly string[]])[] = [
  [/PUT|POST|DELETE/, /\/_(?:doc|create|update)(?:\/[^/]+)?$/, ["result"]],
  [/PUT|POST/, /\/_bulk$/, ["items"]],
  [/POST/, /\/_(?:update_by_query|delete_by_query|reindex)$/, ["took", "task"]],
  [/POST/, /\/_rollover(?:\/[^/]+)?$/, ["rolled_over"]],
  [/PUT|PATCH|DELETE/, /^\/_(?:plugins|opendistro)\/_security\/api\/[^/]+(?:\/[^/]+)?$/, [
    "status",
  ]],
  [/PUT|POST/, /^\/_security\/(?:role|role_mapping|user)\/[^/]+$/, [
    "role",
    "role_mapping",
    "created",
  ]],
];

/** A response that is not the endpoint's: a proxy has sent it. */
function shapeFailure(
  { method, path }: SearchRequest,
  { json, text }: Answer,
): Failure | undefined {
  const { pathname, searchParams } = new URL(path, "http://cluster");
  if (searchParams.has("filter_path")) return undefined;
  const [, , fields = []] =
    SHAPES.find(([methods, pattern]) => methods.test(method) && pattern.test(pathname)) ?? [];
  const wanted = searchParams.get("wait_for_completion") === "false" ? ["task"] : fields;
  if (wanted.length === 0 || wanted.some((name) => field(json, name) !== undefined)) {
    return undefined;
  }
  const reason = `expected '${wanted.join("' or '")}', found ${shorten(text.trim()) || "nothing"}`;
  return { reason, effect: "unknown" };
}

function errorBody({ json }: Pick<Answer, "json">): ErrorBody | undefined {
  const error = field(json, "error");
  return isObject(error) ? error as ErrorBody : undefined;
}

/** A text of a server, as it may be printed. */
function shorten(text: string): string {
  return printable(text.length > 1000 ? `${text.slice(0, 1000)}…` : text);
}
