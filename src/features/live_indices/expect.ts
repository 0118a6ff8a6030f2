import { type Answer, type Failure, failureOf } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { requestName } from "../../migrations/search/cluster/request.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";

export class AnswerError extends Error {
  override readonly name = "AnswerError";

  constructor(request: SearchRequest, readonly answer: Answer, reason: string) {
    super(`${answer.host} refused ${requestName(request)}: ${reason}`);
  }
}

/** Sends a request, by default one that does no harm when it is repeated. @throws {AnswerError} when its answer is a failure, and not fine */
export async function expectAnswer(
  cluster: Cluster,
  request: SearchRequest,
  isFine: (answer: Answer, failure: Failure) => boolean = () => false,
  options: Parameters<Cluster["send"]>[1] = { repeatSafe: true },
): Promise<Answer> {
  const answer = await cluster.send(request, options);
  const failure = failureOf(request, answer);
  if (failure === undefined || isFine(answer, failure)) return answer;
  throw new AnswerError(request, answer, failure.reason);
}
