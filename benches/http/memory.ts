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
