import { type Load, press } from "./load.ts";
import { cpuMicroseconds, cpuTimesOf } from "./process.ts";

export interface Round {
  /** Requests. */
  readonly perSecond: number;
  /** Processor time of the server for each request, in microseconds. */
  readonly cpu: number;
}

/** Loads a route of the server that a process has at this URL. */
export async function roundOf(
  pid: number,
  url: string,
  load: Pick<Load, "path" | "body">,
  seconds: number,
  headers?: Readonly<Record<string, string>>,
): Promise<Round> {
  const before = await cpuTimesOf(pid);
  const { requests, perSecond } = await press(url, load, seconds, headers);
  return { perSecond, cpu: cpuMicroseconds(before, await cpuTimesOf(pid)) / requests };
}
