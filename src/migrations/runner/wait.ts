import { jittered, pause } from "../../runtime/retry.ts";

interface Waiting {
  readonly timeoutMs: number;
  /** The first pause, in milliseconds; each is twice as long as the one before. @default 20 */
  readonly firstMs?: number;
  /** The longest pause, in milliseconds. @default 200 */
  readonly longestMs?: number;
  readonly onWait?: () => void | Promise<void>;
  /** Ends the waiting; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

export async function retry<T>(
  attempt: () => Promise<T | undefined>,
  { timeoutMs, firstMs = 20, longestMs = 200, onWait, signal }: Waiting,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  let isNotified = false;
  for (let pauseMs = firstMs;; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    signal?.throwIfAborted();
    const value = await attempt();
    if (value !== undefined) return value;
    const left = deadline - performance.now();
    if (!isNotified) await onWait?.();
    isNotified = true;
    if (left <= 0) return undefined;
    await pause(Math.min(left, jittered(pauseMs)), signal);
  }
}

/** After `firstMs`, then every `nextMs`, until `notify` returns `true`; its errors only stop the notices. */
export async function withWaitNotice<T>(
  work: () => Promise<T>,
  notify: () => Promise<boolean>,
  firstMs = 5000,
  nextMs: number = firstMs,
): Promise<T> {
  let isOver = false;
  let notifying: Promise<void> | undefined;
  const notifyIn = (milliseconds: number) =>
    setTimeout(() => {
      notifying = notify().catch(() => true).then((isLast) => {
        if (!isLast && !isOver) timer = notifyIn(nextMs);
      });
    }, milliseconds);
  let timer = notifyIn(firstMs);
  try {
    return await work();
  } finally {
    isOver = true;
    clearTimeout(timer);
    await notifying;
  }
}

/**
 * A point in time as a journal holds it: a `Date`, milliseconds since 1970, or a text, which without a zone is UTC: so
 * databases and clusters read it, and so ours is written where a column has no zone.
 *
 * @returns 1970 for an invalid time
 */
export function readTime(value: unknown): Date {
  const date = value instanceof Date
    ? value
    : typeof value === "number"
    ? new Date(value)
    : new Date(withZone(String(value).trim().replace(" ", "T")));
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** A date alone is UTC already (ECMA-262, 21.4.1.32); PostgreSQL writes zones as `+00`. */
function withZone(text: string): string {
  if (!/T/.test(text) || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return text;
  return /[+-]\d\d$/.test(text) ? `${text}:00` : `${text}Z`;
}
