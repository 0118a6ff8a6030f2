import type { TerminationSignal } from "../types.ts";

/** The exit code of a process that a signal has ended: 128 plus the number of the signal, as shells have it. */
export function exitCodeOfSignal(signal: TerminationSignal): number {
  return signal === "SIGINT" ? 130 : 143;
}
