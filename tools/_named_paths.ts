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

/** Calls that read folders: elsewhere a word such as `docs` is no path. */
const READS_FOLDERS = /\b(?:walk|readDir\w*|sources|copy)\(|\b(?:cp|git|deno)["'`]/;

/** Parts of literals that may be paths. A word without a slash or a dot has to be a literal of its own. */
export function wordsOf(code: string): ReadonlySet<string> {
  const text = code.replace(IMPORTS, "");
  const readsFolders = READS_FOLDERS.test(text);
  const words = text.matchAll(/[\w.@/-]+/g).flatMap(({ 0: word, index }) => {
    const isWhole = /["'`}]/.test(text[index - 1] ?? "") &&
      /["'`]/.test(text[index + word.length] ?? "");
    if (isWhole && readsFolders) return [word.replace(/\/$/, "")];
    return /[./]\w|\w\/$/.test(word) ? [word] : [];
  });
  return new Set(words);
}
/** Files of a folder that a helper names: `${APP}/jwks.ts`, a page, an entry of `onEachRuntime()`. */
export function fileNamesOf(code: string): ReadonlySet<string> {
  const names = code.matchAll(/\}\/(\w+\.\w+)`|"([\w-]+\.md)"|\bonEachRuntime\("(\w+)"/g);
  return new Set(names.map(([, file, page, entry]) => file ?? page ?? `${entry}.ts`));
}

/** Files and folders that a module names, from its own folder or where its tests run: what it starts, or reads. */
export function namedBy(
  module: string,
  words: ReadonlySet<string>,
  { files, folders }: Tree,
): readonly string[] {
  const [root = "."] = /^examples\/[^/]+/.exec(module) ?? [];
  const found = new Set<string>();
  for (const word of words) {
    for (const base of [dirname(module), root]) {
      const path = join(base, word).replace(/\/$/, "");
      // `src/${name}` and `./src` are more often of a project that the test writes.
      const isTop = folders.has(path) && !path.includes("/");
      if (path === module || (isTop && path !== word)) continue;
      if (files.has(path) || folders.has(path)) found.add(path);
    }
  }
  return [...found];
}
