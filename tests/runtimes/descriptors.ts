/** How many descriptors a process has; `undefined` where the system does not tell. */
export async function descriptorsOf(pid: number): Promise<number | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  return await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`)).then(({ length }) => length);
}

/** Waits until a process has no more descriptors than before. @throws {Error} when it keeps some for 10 s */
export async function settled(pid: number, before: number | undefined): Promise<void> {
  if (before === undefined) return;
  for (let time = 0; time < 200; time++) {
    const now = await descriptorsOf(pid);
    if (now !== undefined && now <= before) return;
    // Nothing tells of it.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Expected ${before} descriptors, found ${await descriptorsOf(pid)}`);
}
