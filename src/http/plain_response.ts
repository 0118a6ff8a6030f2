import { problem, PROBLEM_JSON } from "./problem.ts";
import { markFixed } from "./sendable.ts";
import { HttpStatus } from "./status.ts";
import { NOSNIFF } from "./with_header.ts";

/**
 * An answer of the server itself, without a handler: a problem (RFC 9457) that says its status and, where it is the
 * client's fault, why.
 */
export function plainResponse(status: number, detail?: string): Response {
  const body = JSON.stringify(problem(HttpStatus.of(status), { detail }));
  const headers = { "Content-Type": PROBLEM_JSON, ...NOSNIFF };
  return markFixed(new Response(body, { status, headers }), true);
}
