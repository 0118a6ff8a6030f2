import type { ProcessUsage, Runtime, TerminationSignal } from "../types.ts";
import { builtin } from "./builtin.ts";

/** The exit code of a process that a signal has ended: 128 plus the number of the signal, as shells have it. */
export function exitCodeOfSignal(signal: TerminationSignal): number {
  return signal === "SIGINT" ? 130 : 143;
}

/** Runs a program of the command line, and ends the process with the code that it returns. */
export async function runToEnd(
  runtime: Runtime,
  program: (runtime: Runtime) => Promise<number>,
): Promise<never> {
  runtime.stdout.unblock?.();
  runtime.stderr.unblock?.();
  const code = await program(runtime);
  return await exitWhenWritten(runtime, code, code > 128);
}

/**
 * Ends the process when its output is written, however slow the reader is. A reader who has left is no failure: what the
 * code tells was done all the same.
 *
 * @param isStopped whether a signal has ended the program: then the reader has a second
 */
export async function exitWhenWritten(
  runtime: Runtime,
  code: number,
  isStopped: boolean,
): Promise<never> {
  const { stdout, stderr } = runtime;
  runtime.onTermination((signal) => runtime.exit(exitCodeOfSignal(signal)));
  if (isStopped) setTimeout(() => runtime.exit(code), 1000);
  await Promise.all([stdout.written(), stderr.written()]);
  const failure = stdout.failure ?? stderr.failure;
  if (failure) stderr.write(`error: Cannot write the output: ${failure.message}\n`);
  await stderr.written();
  return runtime.exit(failure && code === 0 ? 1 : code);
}

/** Processor time and memory of the process; all three runtimes have this part of Node's API. */
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
