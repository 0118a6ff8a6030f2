import { type Answer, failureOf } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { nameOf } from "../cluster/request.ts";
import type { SearchRequest } from "../types.ts";

export class StepError extends Error {
  override readonly name = "StepError";
  readonly answer: Answer;

  constructor(request: SearchRequest, answer: Answer, reason: string) {
    super(`${answer.host} refused ${nameOf(request)}: ${reason}`);
    this.answer = answer;
  }
}

export class CopyRefusedError extends Error {
  override readonly name = "CopyRefusedError";
}

/** Sends a request that leaves the same when it is sent twice. @throws {StepError} when its answer is no success */
export async function expectAnswer(
  cluster: Cluster,
  request: SearchRequest,
): Promise<Answer> {
  const answer = await cluster.send(request, { repeatSafe: true });
  const failure = failureOf(request, answer);
  if (failure !== undefined) throw new StepError(request, answer, failure.reason);
  return answer;
}
