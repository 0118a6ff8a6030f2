import type { FileSystem, WalkedFile, WalkOptions } from "../types.ts";

/** An entry of a folder, before links are followed. */
export interface FolderEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymlink: boolean;
}

/**
 * Files below `root`, each under the path by which it was found. Each folder is entered once, however many links lead to
 * it: by its own name where it has one below `root`, else by the first link in the order of names.
 */
export async function* walkFiles(
  root: string,
  entries: (path: string) => AsyncIterable<FolderEntry>,
  { realPath, stat }: FileSystem,
  { skip = () => false }: WalkOptions = {},
): AsyncIterable<WalkedFile> {
  const entered = new Set<string>();
  const links: FoundPath[] = [];
  const folders = [{ path: root.replace(/(?<=.)[/\\]+$/, ""), relative: "", linked: false }];
  for (let folder; (folder = folders.pop() ?? takeFirst(links)) !== undefined;) {
    const real = await realPath(folder.path);
    if (entered.has(real)) continue;
    entered.add(real);
    for await (const entry of entries(folder.path)) {
      const { name, isSymlink } = entry;
      const found: FoundPath = {
        path: folder.path.endsWith("/") ? folder.path + name : `${folder.path}/${name}`,
        relative: folder.relative === "" ? name : `${folder.relative}/${name}`,
        linked: folder.linked || isSymlink,
      };
      // A link may lead nowhere, or to itself.
      const target = isSymlink ? await stat(found.path).catch(() => undefined) : entry;
      if (!target?.isDirectory) yield { ...found, isFile: target?.isFile ?? false };
      else if (!skip(found.relative)) (isSymlink ? links : folders).push(found);
    }
  }
}

function takeFirst(links: FoundPath[]): FoundPath | undefined {
  return links.sort((a, b) => a.relative < b.relative ? 1 : -1).pop();
}

type FoundPath = Omit<WalkedFile, "isFile">;
