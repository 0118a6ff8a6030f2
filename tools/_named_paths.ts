import { dirname, join } from "@std/path/posix";

/** Files of the repository by their paths from its root, and the folders that they are in. */
export interface Tree {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

export function treeOf(files: Iterable<string>): Tree {
  const all = new Set(files);
  const folders = new Set<string>();
  for (const file of all) {
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  return { files: all, folders };
}

/** Imports are known from `deno info`; those of types are none for a test. */
const IMPORTS = /^(?:import|export|\}).* from "[^"\n]+";$|^import "[^"\n]+";$/gm;

/** What reads folders: elsewhere a word such as `docs` is no path. */
const READS_FOLDERS = /\b(?:walk|readDir\w*|sources|copy)\(|\b(?:cp|git|deno)["'`]/;

/** Parts of literals that may be paths. A word without a slash or a dot has to be a literal of its own. */
export function wordsOf(code: string): ReadonlySet<string> {
  const text = code.replace(IMPORTS, "");
  const readsFolders = READS_FOLDERS.test(text);
  const words = text.matchAll(/[\w.@/-]+/g).filter(({ 0: word, index }) => {
    if (/[./]\w|\w\/$/.test(word)) return true;
    return readsFolders && /\w/.test(word) && /["'`]/.test(text[index - 1] ?? "") &&
      /["'`]/.test(text[index + word.length] ?? "");
  });
  return new Set(words.map(([word]) => word));
}

/** Names of files: in a folder that a helper names, a test may mean these. `onEachRuntime()` takes them without `.ts`. */
export function fileNamesOf(code: string): ReadonlySet<string> {
  const names = code.matchAll(/["'`/]([\w-]+\.\w+)["'`]|\bonEachRuntime\("(\w+)"/g);
  return new Set(names.map(([, name, entry]) => name ?? `${entry}.ts`));
}

/** Files and folders that a module names, from its own folder or from the root: what it starts, or reads. */
export function namedBy(
  module: string,
  words: ReadonlySet<string>,
  { files, folders }: Tree,
): readonly string[] {
  const paths = [...words].flatMap((word) =>
    [join(dirname(module), word), join(word)].map((path) => path.replace(/\/$/, ""))
  );
  return paths.filter((path) => path !== module && (files.has(path) || folders.has(path)));
}
