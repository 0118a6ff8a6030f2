import type { getLogger, Logger } from "@logtape/logtape";

/** LogTape's part, once an application has loaded it. Apart from `logger()`, whose types name no package. */
let open: typeof getLogger | undefined;

export function openLoggers(getLogger: NonNullable<typeof open>): void {
  open = getLogger;
}

export function openLogger(category: readonly [string, ...string[]]): Logger | undefined {
  return open?.(category);
}
