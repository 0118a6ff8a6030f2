import type { Dirent, Stats } from "node:fs";
import { builtin } from "../shared/builtin.ts";
import type { SystemFiles } from "../shared/files.ts";
import { dirname } from "../path.ts";

// Loaded on first use: an application without files need not wait for it.
const fs = () => builtin<typeof import("node:fs")>("node:fs");

export const NODE_FILES: SystemFiles = {
  readFile: async (path) => new Uint8Array(await fs().promises.readFile(path)),
  writeTextFile: (path, text) => fs().promises.writeFile(path, text),
  open: async (path) => ({ readable: (await fs().promises.open(path)).createReadStream() }),
  rename: (from, to) => fs().promises.rename(from, to),
  remove: (path) => fs().promises.unlink(path),
  chmod: (path, mode) => fs().promises.chmod(path, mode),
  statSync(path) {
    const found = fs().statSync(path);
    return { ...kindOf(found), size: found.size, mode: found.mode };
  },
  lstat: (path) => fs().promises.lstat(path),
  async *readDir(path) {
    for (const entry of await fs().promises.readdir(path, { withFileTypes: true })) {
      yield { name: entry.name, ...kindOf(entry) };
    }
  },
  realPath: (path) => fs().promises.realpath(path),
  mkdir,
};

function kindOf(found: Stats | Dirent) {
  return {
    isFile: found.isFile(),
    isDirectory: found.isDirectory(),
    isSymlink: found.isSymbolicLink(),
  };
}

/** Without `recursive`, with which Node retries for ever in a folder such as `/proc` (22 and 24). */
async function mkdir(path: string): Promise<void> {
  const above = dirname(path);
  if (above !== path && !fs().existsSync(above)) await mkdir(above);
  try {
    await fs().promises.mkdir(path);
  } catch (error) {
    // Another one may have made it meanwhile.
    if (!fs().statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
