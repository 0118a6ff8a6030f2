import { builtin } from "./builtin.ts";
import type { ProcessUsage } from "../types.ts";

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
