import { statfs } from "node:fs/promises";

/** Files of Linux that are in memory. */
const SHARED_MEMORY = "/dev/shm";
/** What the files of a run take at most, several times over, and what else the run needs of the memory. */
const FREE_BYTES = 6e9;
const AVAILABLE_BYTES = 10e9;

/**
 * Gives this process, and those that it starts, a folder in memory for temporary files, until it is disposed of: on a
 * disk, making a database of PostgreSQL takes ten times the processor time. The folder stays what it was where `TMPDIR`
 * names one, or the machine has too little memory.
 */
export async function temporaryFolder(): Promise<AsyncDisposable> {
  if (Deno.env.has("TMPDIR") || !await isRoomy()) return { [Symbol.asyncDispose]: async () => {} };
  const folder = await Deno.makeTempDir({ dir: SHARED_MEMORY, prefix: "irori-" });
  await Deno.chmod(folder, 0o1777); // Databases run as users of their own.
  Deno.env.set("TMPDIR", folder);
  return {
    async [Symbol.asyncDispose]() {
      Deno.env.delete("TMPDIR");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function isRoomy(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    const mounts = await Deno.readTextFile("/proc/mounts");
    const options = mounts.match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]?.split(",") ?? [];
    // Tests start programs that they have written.
    if (!options.includes("rw") || options.includes("noexec")) return false;
    const { bavail, bsize } = await statfs(SHARED_MEMORY);
    return bavail * bsize >= FREE_BYTES && Deno.systemMemoryInfo().available >= AVAILABLE_BYTES;
  } catch {
    return false; // Nothing says how much there is.
  }
}
