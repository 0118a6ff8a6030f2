/** Ticks a second in `/proc`, on every Linux that Deno runs on. */
const TICKS = 100;

/**
 * Seconds of processor time that a process and those of its children that have ended took.
 *
 * @returns 0 where there is no such process, or no `/proc`
 */
export async function secondsOf(pid: number | string): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
  // The name of the program, in parentheses, may have spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** The sum of the processes whose command line has one of these texts, by its name. */
export async function secondsOfCommands(
  texts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  const entries = Array.fromAsync(Deno.readDir("/proc")).catch(() => []);
  for (const { name: pid } of await entries) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "");
    for (const [name, text] of Object.entries(texts)) {
      if (line.includes(text)) sums[name] = (sums[name] ?? 0) + await secondsOf(pid);
    }
  }
  return sums;
}

/** Reads the processor time of a child every second; what it takes after the last reading is not counted. */
export async function metered(
  pid: number,
  ended: Promise<unknown>,
): Promise<number> {
  let seconds = 0;
  let isOver = false;
  const over = ended.then(() => isOver = true, () => isOver = true);
  while (!isOver) {
    seconds = Math.max(seconds, await secondsOf(pid));
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, 1000);
    await Promise.race([timer.promise, over]);
    clearTimeout(timeout);
  }
  return seconds;
}
