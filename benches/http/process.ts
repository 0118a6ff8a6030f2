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

/** Processor time of a process so far, all its threads together, in seconds: `/proc/<pid>/stat` (proc_pid_stat(5)). */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`);
  // After the name of the command, which may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** What Linux counts processor time in, on every architecture that these runtimes have. */
const TICKS = 100;
