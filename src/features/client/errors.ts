import type { ProblemDetail } from "../../http/mod.ts";
import { essence, PROBLEM_JSON } from "../../text/media_type.ts";

/**
 * A request that was answered with an error (4xx, 5xx).
 *
 * @typeParam P the declared problems, after `isProblem()`
 */
export class ProblemError<P = ProblemDetail> extends Error {
  override readonly name = "ProblemError";
  /** Code of the status. */
  readonly status: number;
  /** The problem details (RFC 9457), if the response has them. */
  readonly problem?: P;

  /** @param request method and path */
  constructor(
    request: string,
    readonly response: Response,
    readonly body: unknown,
  ) {
    const problem = isProblemDetail(response, body) ? body : undefined;
    const { status, statusText } = response;
    const answer = [status, problem?.title ?? statusText].filter(Boolean).join(" ");
    const detail = problem?.detail === undefined ? "" : `: ${problem.detail}`;
    super(`${request} was answered with ${answer}${detail}`);
    this.status = status;
    if (problem) this.problem = problem as P;
  }
}

/** A call that took longer than its `timeout`. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  /** @param timeout in milliseconds */
  constructor(request: string, readonly timeout: number) {
    super(`${request} was not answered within ${timeout} ms`);
  }
}

function isProblemDetail(response: Response, body: unknown): body is ProblemDetail {
  const type = essence(response.headers.get("content-type") ?? "");
  return type === PROBLEM_JSON && typeof body === "object" && body !== null && !Array.isArray(body);
}
