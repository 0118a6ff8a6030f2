import { HttpStatus, markFixed, problem, PROBLEM_JSON } from "../http/mod.ts";

/**
 * An answer of the server itself, without a handler: a problem (RFC 9457) that says its status and, where it is the
 * client's fault, why.
 */
export function plainResponse(status: number, detail?: string): Response {
  const body = JSON.stringify(problem(HttpStatus.of(status), { detail }));
  const headers = { "Content-Type": PROBLEM_JSON, "X-Content-Type-Options": "nosniff" };
  return markFixed(new Response(body, { status, headers }), true);
}
