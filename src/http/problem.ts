import { PROBLEM_JSON } from "../text/mod.ts";
import { HttpStatus, requireStatus } from "./status.ts";
import { markFixed } from "./sendable.ts";
import { NOSNIFF } from "./with_header.ts";

export { PROBLEM_JSON };

/** The body of an error response (RFC 9457). */
export interface ProblemDetail {
  /** A URI for the kind of problem; `about:blank` says no more than the status. */
  readonly type: string;
  /** The reason phrase of the status, or its code where it has none. */
  readonly title: string;
  /** Code of the status. */
  readonly status: number;
  /** The explanation of this occurrence, for the client. */
  readonly detail?: string;
  /** Path of the request. */
  readonly instance?: string;
  /** One entry for each thing that is wrong with the request. */
  readonly errors?: readonly unknown[];
}

/**
 * Describes a problem (RFC 9457). A handler that returns it answers with its status, as `application/problem+json`.
 * Omits the cause of a server error (5xx): neither `detail` nor `errors`, nor extension members.
 *
 * @param about its members; beside those of the standard any others, such as `{ type: "/problems/out-of-stock", sku }`
 */
export function problem(
  status: HttpStatus,
  about: Partial<Omit<ProblemDetail, "status">> & {
    readonly status?: never;
    readonly [member: string]: unknown;
  } = {},
): ProblemDetail {
  requireStatus(status);
  const { type, title, status: _, detail, instance, errors, ...others } = about;
  const own = status.value < 500;
  const made: ProblemDetail = {
    type: type ?? "about:blank",
    title: title ?? (status.reasonPhrase || String(status.value)),
    status: status.value,
    ...(own && detail !== undefined && { detail }),
    ...(instance !== undefined && { instance }),
    ...(own && errors !== undefined && errors.length > 0 && { errors }),
    ...(own && others),
  };
  return Object.defineProperty(made, PROBLEM, { value: true });
}

/** Not enumerable: what is written of a problem, or copied from it, is data alone. */
const PROBLEM = Symbol.for("irori: ProblemDetail");

export function isProblemDetail(value: unknown): value is ProblemDetail {
  return typeof value === "object" && value !== null && PROBLEM in value;
}

/**
 * An answer of the server itself, without a handler: a problem (RFC 9457) that says its status and, where it is the
 * client's fault, why.
 */
export function plainResponse(status: number, detail?: string): Response {
  const body = JSON.stringify(problem(HttpStatus.of(status), { detail }));
  const headers = { "Content-Type": PROBLEM_JSON, ...NOSNIFF };
  return markFixed(new Response(body, { status, headers }), true);
}
