/** Memory of a process, in bytes, as Linux tells it. */
export interface Memory {
  /** Now. */
  readonly resident: number;
  /** The most so far. */
  readonly peak: number;
}

/** Reads `/proc/<pid>/status` (proc_pid_status(5)). */
export async function memoryOf(pid: number): Promise<Memory> {
  const text = await Deno.readTextFile(`/proc/${pid}/status`);
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) * 1024;
  return { resident: read("VmRSS"), peak: read("VmHWM") };
}

/** Processor time of each thread of a process so far, in nanoseconds. */
export type CpuTimes = ReadonlyMap<string, number>;

/** Reads `/proc/<pid>/task/<tid>/schedstat`, as `/proc/<pid>/stat` counts in hundredths of a second. */
export async function cpuTimesOf(pid: number): Promise<CpuTimes> {
  const times = new Map<string, number>();
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    try {
      const text = await Deno.readTextFile(`/proc/${pid}/task/${name}/schedstat`);
      times.set(name, Number(text.split(" ")[0]));
    } catch {
      // It has ended.
    }
  }
  return times;
}

/** Processor time between two looks at a process, in microseconds, without that of threads that have ended. */
export function cpuMicroseconds(before: CpuTimes, after: CpuTimes): number {
  const times = [...after].map(([thread, time]) => time - (before.get(thread) ?? 0));
  return times.reduce((sum, time) => sum + time, 0) / 1000;
}
