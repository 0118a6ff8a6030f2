/** The machine that measures, and how busy others keep it. */
export function machine(): string {
  const [load = 0] = Deno.loadavg();
  const cores = navigator.hardwareConcurrency;
  return `${cores} cores, load of the last minute ${load.toFixed(1)}, Deno ${Deno.version.deno}`;
}

/** How many cores are busy while this process waits, by `/proc/stat` (proc_stat(5)): what others take, hypervisors included. */
export async function busyCores(milliseconds = 2000): Promise<number> {
  const before = await coreTimes();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const after = await coreTimes();
  const idle = after.idle - before.idle;
  return (1 - idle / (after.all - before.all)) * navigator.hardwareConcurrency;
}

async function coreTimes(): Promise<{ readonly all: number; readonly idle: number }> {
  const [line = ""] = (await Deno.readTextFile("/proc/stat")).split("\n");
  // The time of guests, which follows these eight, is counted in the first two as well.
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = times.reduce((sum, time) => sum + time, 0);
  return { all, idle: times[3]! + times[4]! };
}
