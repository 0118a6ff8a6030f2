import type { ProcessUsage, TerminationSignal } from "../types.ts";
import { builtin } from "./builtin.ts";

/** The exit code of a process that a signal has ended: 128 plus the number of the signal, as shells have it. */
export function exitCodeOfSignal(signal: TerminationSignal): number {
  return signal === "SIGINT" ? 130 : 143;
}

/** What the process uses; all three runtimes have this part of Node's. */
export function processUsage(): ProcessUsage {
  const process = builtin<typeof import("node:process")>("node:process");
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapBytes: heapTotal,
    heapUsedBytes: heapUsed,
    cpuSeconds: (user + system) / 1e6,
    uptimeSeconds: process.uptime(),
  };
}
