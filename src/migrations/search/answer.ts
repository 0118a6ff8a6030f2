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
}

interface ErrorBody {
  readonly type?: string;
  readonly reason?: string;
  readonly caused_by?: ErrorBody;
}

/** `error.type` of an answer, such as `resource_already_exists_exception`. */
export function errorType(answer: Answer): string | undefined {
  return errorBody(answer)?.type;
}

/** Whether an index is blocked for writing. Such blocks come as 403 and 429, and are no matter of rights or load. */
export function isBlocked(answer: Answer): boolean {
  return errorType(answer) === "cluster_block_exception" && answer.status !== 503;
}

/** Whether there is no endpoint of this path: a plugin is not installed, or the cluster is of another kind. */
export function hasNoHandler({ status, text }: Answer): boolean {
  return (status === 400 || status === 405) &&
    /no handler found for uri|Incorrect HTTP method for uri/.test(text);
}

/** Whether the cluster took the request and could not confirm it in time. */
export function isUnacknowledged({ status, json }: Answer): boolean {
  return status >= 200 && status <= 299 && field(json, "acknowledged") === false;
}

/** What a cluster complains about, as one line: status, type, reason and the innermost cause. */
export function describeFailure(answer: Answer): string {
  const error = errorBody(answer);
  if (answer.status >= 300 && answer.status <= 399) {
    return `HTTP ${answer.status}: redirects are not followed, to keep credentials where they belong`;
  }
  if (!error) {
    const own = field(answer.json, "error");
    const text = typeof own === "string" ? own : answer.text.trim();
    return [`HTTP ${answer.status}`, shorten(text)].filter((part) => part !== "").join(": ");
  }
  let inner = error;
  while (inner.caused_by) inner = inner.caused_by;
  const cause = inner !== error && inner.reason && !error.reason?.includes(inner.reason)
    ? `; caused by ${inner.type}: ${inner.reason}`
    : "";
  const full = isFloodStage(error) ? "; the disk of a node is full: free space on it first" : "";
  return `HTTP ${answer.status}: ${error.type}: ${shorten(`${error.reason}${cause}`)}${full}`;
}

function isFloodStage({ reason }: ErrorBody): boolean {
  return /flood-stage watermark|\/12\//.test(reason ?? "");
}

/**
 * What went wrong inside an answer: a status that is no success, failed items of a bulk, failures of a reindex, an
 * operation that was not acknowledged.
 *
 * @returns `undefined` when nothing did
 */
export function failureOf(answer: Answer): string | undefined {
  const { status, json } = answer;
  if (status < 200 || status > 299) return describeFailure(answer);
  if (field(json, "errors") === true) return `some items failed, first ${firstItemError(json)}`;
  const failures = field(json, "failures");
  if (Array.isArray(failures) && failures.length > 0) {
    return `${failures.length} failures, first ${shorten(JSON.stringify(failures[0]))}`;
  }
  if (failures === true) return `some parts failed: ${shorten(answer.text)}`;
  if (isUnacknowledged(answer)) return "the cluster did not acknowledge it in time";
}

/** The value of a JSON text, `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member of a JSON value, `undefined` when it is no object or has none. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function errorBody({ json }: Answer): ErrorBody | undefined {
  const error = field(json, "error");
  return typeof error === "object" && error !== null ? error as ErrorBody : undefined;
}

function firstItemError(json: unknown): string {
  const items = field(json, "items");
  const results = Array.isArray(items) ? items.flatMap((item) => Object.values(item ?? {})) : [];
  const error = results.map((result) => field(result, "error")).find((found) =>
    found !== undefined
  );
  return shorten(typeof error === "string" ? error : JSON.stringify(error ?? json));
}

function shorten(text: string): string {
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}
