import { builtin } from "../shared/builtin.ts";
import { walkFiles } from "../shared/walk.ts";
import { writeWhole } from "../shared/whole_file.ts";
import { FileNotFoundError } from "../errors.ts";
import { dirname } from "../path.ts";
import type { FileSystem } from "../types.ts";

// Loaded on first use: an application without files need not wait for it.
const fs = () => builtin<typeof import("node:fs/promises")>("node:fs/promises");

export function nodeFiles(): FileSystem {
  const decoder = new TextDecoder();
  const files: FileSystem = {
    readFile: async (path) => new Uint8Array(await fs().readFile(path).catch(notFound(path))),
    readTextFile: async (path) => decoder.decode(await fs().readFile(path).catch(notFound(path))),
    writeTextFile: (path, text, { overwrite = false } = {}) => {
      return writeWhole(path, text, overwrite, { ...files, isThere, modeOf, write });
    },
    rename: (from, to) => fs().rename(from, to).catch(notFound(from)),
    remove: (path) => fs().unlink(path).catch(notFound(path)),
    stat,
    async *readChunks(path) {
      const file = await fs().open(path).catch(notFound(path));
      yield* file.createReadStream();
    },
    walk: (root, options) => walkFiles(root, { ...files, entries }, options),
    list: async (path) => (await fs().readdir(path).catch(notFound(path))).sort(),
    realPath: (path) => fs().realpath(path).catch(notFound(path)),
    ensureDir: async (path) => {
      // Without `recursive`, with which Node retries for ever in a folder such as `/proc` (22 and 24).
      const missing = [path];
      for (;;) {
        const above = dirname(missing[0]!);
        if (above === missing[0] || await stat(above) !== undefined) break;
        missing.unshift(above);
      }
      for (const folder of missing) await makeDir(folder);
    },
  };
  return files;
}

async function stat(path: string) {
  const found = await fs().stat(path).catch(undefinedIfMissing);
  return found && {
    isFile: found.isFile(),
    isDirectory: found.isDirectory(),
    size: found.size,
  };
}

async function makeDir(path: string): Promise<void> {
  try {
    await fs().mkdir(path);
  } catch (error) {
    if (!(await stat(path))?.isDirectory) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await fs().lstat(path).catch(undefinedIfMissing) !== undefined;
}

async function modeOf(path: string): Promise<number | undefined> {
  return (await fs().stat(path).catch(() => undefined))?.mode;
}

async function write(path: string, text: string, mode?: number): Promise<void> {
  await fs().writeFile(path, text);
  if (mode !== undefined) await fs().chmod(path, mode);
}

async function* entries(path: string) {
  for (const entry of await fs().readdir(path, { withFileTypes: true }).catch(notFound(path))) {
    yield {
      name: entry.name,
      isFile: entry.isFile(),
      isDirectory: entry.isDirectory(),
      isSymlink: entry.isSymbolicLink(),
    };
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function notFound(path: string): (error: unknown) => never {
  return (cause) => {
    throw isMissing(cause) ? new FileNotFoundError(path, { cause }) : cause;
  };
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(Object(error).code);
}
