import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import {
  type Answer,
  errorType,
  type Failure,
  failureOf,
} from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { requestName } from "../../migrations/search/cluster/request.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";

export class AnswerError extends Error {
  override readonly name = "AnswerError";

  constructor(request: SearchRequest, readonly answer: Answer, reason: string) {
    super(`${answer.host} refused ${requestName(request)}: ${reason}`);
  }
}

export class CopyRefusedError extends Error {
  override readonly name = "CopyRefusedError";
}

/** Sends a request that does no harm when it is repeated. @throws {AnswerError} when its answer is a failure, and not fine */
export async function expectAnswer(
  cluster: Cluster,
  request: SearchRequest,
  isFine: (answer: Answer, failure: Failure) => boolean = () => false,
): Promise<Answer> {
  const answer = await cluster.send(request, { repeatSafe: true });
  const failure = failureOf(request, answer);
  if (failure === undefined || isFine(answer, failure)) return answer;
  throw new AnswerError(request, answer, failure.reason);
}

const TRIES = 8;

/** Sends a request again, with pauses, as long as its answer lacks something. @param lacks what, as a reason */
export async function untilWhole(
  cluster: Cluster,
  request: SearchRequest,
  lacks: (answer: Answer) => string | undefined,
  { isFine, tries = TRIES, slowest = TRIES }: {
    readonly isFine?: (answer: Answer) => boolean;
    readonly tries?: number;
    /** The try after which pauses become no longer. */
    readonly slowest?: number;
  } = {},
): Promise<Answer> {
  for (let attempt = 1;; attempt++) {
    const answer = await expectAnswer(cluster, request, isFine);
    const reason = lacks(answer);
    if (reason === undefined) return answer;
    if (attempt === tries) throw new AnswerError(request, answer, reason);
    await pause(backOffMs(Math.min(attempt, slowest)));
  }
}

export function isThere(answer: Answer, { unacknowledged }: Failure): boolean {
  return unacknowledged === true || existed(answer);
}

export function existed(answer: Answer): boolean {
  return errorType(answer) === "resource_already_exists_exception";
}
