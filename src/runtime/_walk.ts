import type { FileSystem, WalkedFile } from "./types.ts";

/** What is found in a folder, before links are followed. */
export interface FolderEntry {
  /** Its name in the folder. */
  readonly name: string;
  /** Whether it is a folder. */
  readonly isDirectory: boolean;
  /** Whether it is a symbolic link, to whatever. */
  readonly isSymlink: boolean;
}

/** What {@linkcode walkFiles} asks of a runtime. */
export interface WalkedFolders extends Pick<FileSystem, "realPath" | "stat"> {
  /** Everything in one folder. @throws {FileNotFoundError} */
  entries(path: string): AsyncIterable<FolderEntry>;
}

/**
 * Files below `root`, each under the path by which it was found. Links are followed, but not back into a folder that is
 * being walked; one that leads nowhere counts as a file, so that whoever reads it learns of it.
 */
export function walkFiles(root: string, folders: WalkedFolders): AsyncIterable<WalkedFile> {
  const top = root.replace(/(?<=.)[/\\]+$/, "");
  return walkFolder({ path: top, relative: "", linked: false }, [], folders);
}

async function* walkFolder(
  folder: WalkedFile,
  above: readonly string[],
  folders: WalkedFolders,
): AsyncIterable<WalkedFile> {
  const real = await folders.realPath(folder.path);
  if (above.includes(real)) return;
  for await (const { name, isDirectory, isSymlink } of folders.entries(folder.path)) {
    const found = {
      path: folder.path.endsWith("/") ? folder.path + name : `${folder.path}/${name}`,
      relative: folder.relative === "" ? name : `${folder.relative}/${name}`,
      linked: folder.linked || isSymlink,
    };
    const isFolder = isSymlink ? (await folders.stat(found.path))?.isDirectory : isDirectory;
    if (isFolder) yield* walkFolder(found, [...above, real], folders);
    else yield found;
  }
}
