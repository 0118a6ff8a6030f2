export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export type Json = Record<string, unknown>;

/** An error as clusters write it. */
export interface ErrorBody {
  readonly type: string;
  readonly reason: string;
  readonly caused_by?: ErrorBody;
  readonly [member: string]: unknown;
}

/** A request, or one item of a bulk, is refused. */
export class Refused extends Error {
  constructor(readonly status: number, readonly error: ErrorBody) {
    super(`${error.type}: ${error.reason}`);
  }

  get reply(): Reply {
    const { error, status } = this;
    return { status, body: { error: { root_cause: [rootOf(error)], ...error }, status } };
  }
}

/** These name the error below them as the root cause; others name themselves. */
const WRAPPING = [
  "mapper_parsing_exception",
  "no_shard_available_action_exception",
  "resource_not_found_exception",
  "x_content_parse_exception",
];

function rootOf(error: ErrorBody): ErrorBody {
  const { caused_by: below, ...root } = error;
  const wraps = WRAPPING.includes(error.type) && below !== undefined &&
    [...WRAPPING, "parsing_exception", "illegal_index_shard_state_exception"].includes(below.type);
  return wraps ? rootOf(below) : root;
}

export function illegal(reason: string, rest: Json = {}): Refused {
  return new Refused(400, { type: "illegal_argument_exception", reason, ...rest });
}

/** `Validation Failed: 1: …;2: …;` */
export function invalid(...reasons: string[]): Refused {
  return new Refused(400, {
    type: "action_request_validation_exception",
    reason: `Validation Failed: ${reasons.map((reason, i) => `${i + 1}: ${reason};`).join("")}`,
  });
}

export function missingBody(reason = "request body is required"): Refused {
  return new Refused(400, { type: "parse_exception", reason });
}

/** @param type what the name was looked for as: documents are looked for by `index_expression` */
export function noSuchIndex(
  index: string,
  type: "index_or_alias" | "index_expression" = "index_or_alias",
): Refused {
  return new Refused(404, {
    type: "index_not_found_exception",
    reason: `no such index [${index}]`,
    index,
    "resource.id": index,
    "resource.type": type,
    index_uuid: "_na_",
  });
}

/** Refuses a request that the double does not imitate, so that a test does not take silence for success. */
export function notCovered(what: string): Reply {
  return { status: 501, body: { error: `the cluster double does not cover ${what}` } };
}

export function ok(body: unknown, status = 200): Reply {
  return { status, body };
}

export const ACKNOWLEDGED: Reply = ok({ acknowledged: true });

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
