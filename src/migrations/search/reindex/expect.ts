import { type Answer, failureOf } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { nameOf } from "../cluster/request.ts";
import type { SearchRequest } from "../types.ts";

/** A request of a copy that the cluster refused, or of which it is not known whether it was done. */
export class StepError extends Error {
  override readonly name = "StepError";
  /** What the cluster answered. */
  readonly answer: Answer;

  /** @param reason what it complained about */
  constructor(request: SearchRequest, answer: Answer, reason: string) {
    super(`${answer.host} refused ${nameOf(request)}: ${reason}`);
    this.answer = answer;
  }
}

/** What makes a copy impossible, and what to do about it: nothing is left of it. */
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
