import { builtin } from "./_builtin.ts";
import { walkFiles } from "./_walk.ts";
import { FileExistsError, FileNotFoundError } from "./errors.ts";
import type { FileSystem } from "./types.ts";

/** Files by `node:fs/promises`, on Node and on Bun. */
export function nodeFiles(): FileSystem {
  // Only when they are asked for: an application without files need not wait for them.
  const fs = () => builtin<typeof import("node:fs/promises")>("node:fs/promises");
  const path = () => builtin<typeof import("node:path")>("node:path");
  const decoder = new TextDecoder();
  const files: FileSystem = {
    readFile: async (path) => new Uint8Array(await fs().readFile(path).catch(notFound(path))),
    readTextFile: async (path) => decoder.decode(await fs().readFile(path).catch(notFound(path))),
    writeTextFile: async (file, text, options) => {
      await fs().mkdir(path().dirname(file), { recursive: true });
      try {
        await fs().writeFile(file, text, { flag: options?.overwrite ? "w" : "wx" });
      } catch (cause) {
        throw codeOf(cause) === "EEXIST" ? new FileExistsError(file, { cause }) : cause;
      }
    },
    rename: (from, to) => fs().rename(from, to).catch(notFound(from)),
    remove: (path) => fs().unlink(path).catch(notFound(path)),
    stat: async (path) => {
      try {
        const found = await fs().stat(path);
        return {
          isFile: found.isFile(),
          isDirectory: found.isDirectory(),
          size: found.size,
        };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async *readChunks(path) {
      const file = await fs().open(path).catch(notFound(path));
      yield* file.createReadStream();
    },
    walk: (root, options) => walkFiles(root, { ...files, entries }, options),
    list: async (path) => (await fs().readdir(path).catch(notFound(path))).sort(),
    realPath: (path) => fs().realpath(path).catch(notFound(path)),
    ensureDir: async (path) => void await fs().mkdir(path, { recursive: true }),
  };
  return files;

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
}

function notFound(path: string): (error: unknown) => never {
  return (cause) => {
    throw isMissing(cause) ? new FileNotFoundError(path, { cause }) : cause;
  };
}

/** Nothing is there, be it that a part of the path is a file. */
function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | undefined {
  return (error as { readonly code?: string } | undefined)?.code;
}
