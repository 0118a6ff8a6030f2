import { jittered, pause, readRetryAfter } from "../../runtime/retry.ts";
import { ProblemError, TimeoutError } from "./errors.ts";
import type { RetryOptions } from "./types.ts";

export async function repeat<T>(
  attempt: () => Promise<T>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let count = 1;; count++) {
    try {
      return await attempt();
    } catch (error) {
      const isLast = signal?.aborted || !(count < options.attempts);
      const wait = isLast ? undefined : waitAfter(error, count, options);
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/** The statuses of a server or a proxy that may take the same request later. */
const TEMPORARY = [408, 429, 502, 503, 504];

/** `undefined` where another attempt is pointless, or would be too early. */
function waitAfter(
  error: unknown,
  count: number,
  { delay = 200, maxDelay = 30_000 }: RetryOptions,
): number | undefined {
  const backOff = Math.min(maxDelay, jittered(delay * 2 ** (count - 1)));
  // The error of `fetch` and of a body that breaks off (WHATWG Fetch, 5.6).
  if (error instanceof TypeError || error instanceof TimeoutError) return backOff;
  if (!(error instanceof ProblemError)) return undefined;
  const retryAfter = error.response.headers.get("retry-after");
  // The first request with the same Idempotency-Key is in progress.
  const isTemporary = TEMPORARY.includes(error.status) || error.status === 409 && retryAfter;
  if (!isTemporary) return undefined;
  const asked = readRetryAfter(retryAfter) ?? backOff;
  return asked <= maxDelay ? asked : undefined;
}
