import { statfs } from "node:fs/promises";

/** Files of Linux that are in memory. */
const SHARED_MEMORY = "/dev/shm";
/** The most that the servers of a run write, several times over, and the memory of the rest of the run. */
const FREE_BYTES = 6e9;
const AVAILABLE_BYTES = 10e9;

/**
 * A place for the files of servers in memory: on a disk, making a database of PostgreSQL takes ten times the processor
 * time. It is not for tests, as Deno guards what is below `/dev`.
 *
 * @returns nothing where `TMPDIR` names a place, or the machine has too little memory
 */
export async function placeInMemory(): Promise<string | undefined> {
  if (Deno.env.has("TMPDIR") || Deno.build.os !== "linux") return undefined;
  try {
    const mounts = await Deno.readTextFile("/proc/mounts");
    const options = mounts.match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]?.split(",") ?? [];
    // Clusters start programs that are there.
    if (!options.includes("rw") || options.includes("noexec")) return undefined;
    const { bavail, bsize } = await statfs(SHARED_MEMORY);
    const isRoomy = bavail * bsize >= FREE_BYTES &&
      Deno.systemMemoryInfo().available >= AVAILABLE_BYTES;
    return isRoomy ? SHARED_MEMORY : undefined;
  } catch {
    return undefined; // Nothing says how much there is.
  }
}
