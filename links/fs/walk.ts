import { basename, join } from "@std/path";

/** What {@linkcode walk} takes. */
export interface WalkOptions {
  /** @default Infinity */
  maxDepth?: number;
  /** @default true */
  includeFiles?: boolean;
  /** @default true */
  includeDirs?: boolean;
  /** @default true */
  includeSymlinks?: boolean;
  /** @default false */
  followSymlinks?: boolean;
  /** Whether a followed link is named by its target; counts for `root` alone, not below. @default true */
  canonicalize?: boolean;
}

/** A file or folder that {@linkcode walk} found. */
export interface WalkEntry extends Deno.DirEntry {
  path: string;
}

/** Everything below `root`, `root` itself included. */
export async function* walk(
  root: string,
  options: WalkOptions = {},
): AsyncIterable<WalkEntry> {
  const { maxDepth = Infinity, includeFiles = true, includeDirs = true } = options;
  const { includeSymlinks = true, followSymlinks = false, canonicalize = true } = options;
  if (maxDepth < 0) return;
  if (includeDirs) {
    const { isFile, isDirectory, isSymlink } = await Deno.stat(root);
    yield { path: root, name: basename(root), isFile, isDirectory, isSymlink };
  }
  if (maxDepth < 1) return;
  for await (const entry of Deno.readDir(root)) {
    let path = join(root, entry.name);
    let { isSymlink, isDirectory } = entry;
    if (isSymlink) {
      if (!followSymlinks) {
        if (includeSymlinks) yield { path, ...entry };
        continue;
      }
      const realPath = await Deno.realPath(path);
      if (canonicalize) path = realPath;
      ({ isSymlink, isDirectory } = await Deno.lstat(realPath));
    }
    if (isSymlink || isDirectory) {
      yield* walk(path, { ...options, maxDepth: maxDepth - 1, canonicalize: true });
    } else if (includeFiles) yield { path, ...entry };
  }
}
