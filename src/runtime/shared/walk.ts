import type { FileSystem, WalkedFile, WalkOptions } from "../types.ts";

/** What is found in a folder, before links are followed. */
export interface FolderEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymlink: boolean;
}

export interface WalkedFolders extends Pick<FileSystem, "realPath" | "stat"> {
  /** Everything in one folder. @throws {FileNotFoundError} */
  entries(path: string): AsyncIterable<FolderEntry>;
}

/**
 * Files below `root`, each under the path by which it was found. Each folder is entered once, however many links lead to
 * it: by its own name where it has one below `root`, else by the first link in the order of names.
 */
export async function* walkFiles(
  root: string,
  folders: WalkedFolders,
  { skip = () => false }: WalkOptions = {},
): AsyncIterable<WalkedFile> {
  const entered = new Set<string>();
  const links: Place[] = [];

  async function* walkFolder(folder: Place): AsyncIterable<WalkedFile> {
    const real = await folders.realPath(folder.path);
    if (entered.has(real)) return;
    entered.add(real);
    for await (const entry of folders.entries(folder.path)) {
      const { name, isSymlink } = entry;
      const found: Place = {
        path: folder.path.endsWith("/") ? folder.path + name : `${folder.path}/${name}`,
        relative: folder.relative === "" ? name : `${folder.relative}/${name}`,
        linked: folder.linked || isSymlink,
      };
      // A link may lead nowhere, or to itself.
      const target = isSymlink ? await folders.stat(found.path).catch(() => undefined) : entry;
      if (!target?.isDirectory) yield { ...found, isFile: target?.isFile ?? false };
      else if (skip(found.relative)) continue;
      else if (isSymlink) links.push(found);
      else yield* walkFolder(found);
    }
  }

  yield* walkFolder({ path: root.replace(/(?<=.)[/\\]+$/, ""), relative: "", linked: false });
  while (links.length > 0) {
    links.sort((a, b) => a.relative < b.relative ? 1 : -1);
    yield* walkFolder(links.pop()!);
  }
}

type Place = Omit<WalkedFile, "isFile">;
