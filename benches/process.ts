/** A program and its arguments. */
export type Command = readonly string[];

export interface Run {
  /** From its start to its end. */
  readonly milliseconds: number;
  /** Highest resident memory, in megabytes; 0 unless it was asked for. */
  readonly megabytes: number;
  /** Its stdout. */
  readonly output: string;
}

/**
 * Runs a program to its end.
 *
 * @param watchMemory asks for its memory every 2 ms, which costs time
 * @throws {Error} with what it printed, when it fails
 */
export async function execute([program = "", ...args]: Command, watchMemory = false): Promise<Run> {
  const started = performance.now();
  const options = { args, stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(program, options).spawn();
  let megabytes = 0;
  const watch = watchMemory
    ? setInterval(() => megabytes = Math.max(megabytes, peakOf(child.pid)), 2)
    : undefined;
  const { success, stdout, stderr } = await child.output();
  const milliseconds = performance.now() - started;
  clearInterval(watch);
  const texts = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (success) return { milliseconds, megabytes, output: texts[0]! };
  throw new Error([`${program} ${args.join(" ")} failed`, ...texts].join("\n"));
}

/** Highest resident memory of a process so far, in megabytes. */
function peakOf(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended.
  }
}
