import { backOffMs, pause } from "../../migrations/runner/mod.ts";
import { type Answer, errorType, type Failure } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { AnswerError, expectAnswer } from "../live_indices/expect.ts";

export class CopyRefusedError extends Error {
  override readonly name = "CopyRefusedError";
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
