import { basename } from "@std/path/posix";
import { type Door, doorsOf, isClosed } from "./_doors.ts";
import type { Graph } from "./_graph.ts";
import { fileNamesOf, namedBy, type Tree, wordsOf } from "./_named_paths.ts";
import { graphOf } from "./_test_files.ts";

/** What a file of tests depends on: a change of it may change what the tests find. */
export interface Reached {
  /** Files, each with the one that leads to it. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders that it reads, whose files count as well, each with the file that names it. */
  readonly folders: ReadonlyMap<string, string>;
}

const CODE = /\.(?:ts|tsx|mts|js|mjs)$/;
/** Pages whose blocks tests run: what these name is used as if the test named it. */
const PAGE = /^(?:docs\/guide|examples)\/.*\.md$/;
/** Its scripts call commands. */
const MANIFEST = /^examples\/[^/]+\/package\.json$/;
const BLOCKS = /^```[^]*?^```/gm;
/** Code of tests: what its literals name is started, or read. */
const OF_TESTS = /^(?:tests|examples|benches|tools)\//;
const COMMENTS = /^\s*(?:\/\/|\/\*|\*).*$/gm;
/** What reads a file of tests does not run it. */
const TEST = /_test\.ts$/;
/** Helpers that take files of these folders by the names that a test gives them. */
const BY_NAME = /^tests\/(?:runtimes\/(?:guide|project)|docs\/(?:steps|advice))\.ts$/;
/** They run the code of all pages or new projects, or list all exports or commands, without naming them. */
const TAKE_ALL = [
  "tests/runtimes/pages_test.ts",
  "tests/runtimes/create_test.ts",
  "tests/runtimes/create_parts_test.ts",
  "tests/features/create/parts_test.ts",
  "tests/recorded/public_api_test.ts",
  "tests/recorded/help_test.ts",
];
/** An application: what reads its folder runs all of it. */
const APPLICATION = /^examples\/[^/]+(?:\/|$)/;

interface Module {
  readonly text: string;
  readonly fileNames: ReadonlySet<string>;
  readonly named: readonly string[];
  readonly doors: readonly Door[];
}

/** Imports, literals of paths and doors of all modules. */
export class Reach {
  private constructor(
    readonly tree: Tree,
    readonly graph: Graph,
    readonly modules: ReadonlyMap<string, Module>,
  ) {}

  /** @param excluded files and folders that Deno does not read */
  static async of(tree: Tree, excluded: readonly string[]): Promise<Reach> {
    const paths = [...tree.files].filter((path) =>
      CODE.test(path) && !excluded.some((one) => `${path}/`.startsWith(`${one}/`))
    );
    const pages = [...tree.files].filter((path) => PAGE.test(path) || MANIFEST.test(path));
    const modules = [...paths, ...pages, "deno.json"].map(
      async (path): Promise<[string, Module]> => {
        const all = await Deno.readTextFile(path);
        const text = PAGE.test(path)
          ? (all.match(BLOCKS) ?? []).join("\n")
          : all.replace(COMMENTS, "");
        const doors = doorsOf(path, text);
        const [words, fileNames] = OF_TESTS.test(path) && !PAGE.test(path)
          ? [wordsOf(text), fileNamesOf(text)]
          : [new Set<string>(), new Set<string>()];
        return [path, { text, fileNames, named: namedBy(path, words, tree), doors }];
      },
    );
    return new Reach(tree, await graphOf(paths), new Map(await Promise.all(modules)));
  }

  /** @param more what the test needs beside what it names, such as the scripts that start its servers */
  from(test: string, more: readonly string[] = []): Reached {
    const files = new Map([test, ...more].map((path) => [path, ""]));
    const folders = new Map<string, string>();
    const doors = new Map<Door, string>();
    const code = new Set<Module>();
    const closed = new Set<string>();
    const isAll = TAKE_ALL.includes(test);
    const add = (to: Map<string, string>, path: string, by: string) => {
      if (!to.has(path)) to.set(path, by);
    };
    const follow = (path: string, module: Module) => {
      const isCode = OF_TESTS.test(path) && !path.startsWith("tools/");
      if (isCode || PAGE.test(path)) code.add(module);
      for (const door of closed.has(path) ? [] : module.doors) doors.set(door, path);
      if (isClosed(path) || closed.has(path)) {
        for (const target of [...this.graph.importsOf(path), ...module.named]) {
          if (!/^tools\/.*\.ts$/.test(target) || files.has(target)) continue;
          closed.add(target);
          files.set(target, path);
        }
        return;
      }
      const behind = new Set(module.doors.map(({ target }) => target));
      for (const target of this.graph.importsOf(path)) {
        if (!behind.has(target)) add(files, target, path);
      }
      for (const named of module.named) {
        add(this.tree.files.has(named) ? files : folders, named, path);
      }
    };
    for (let size = -1; size !== files.size;) {
      size = files.size;
      for (const [path] of files) {
        const module = this.modules.get(path);
        if (module !== undefined && (path === test || !TEST.test(path))) follow(path, module);
      }
      for (const [{ target, names }, joint] of doors) {
        if (isAll || code.values().some(({ text }) => names.test(text))) add(files, target, joint);
      }
      for (const [folder] of folders) {
        for (const path of this.#startedIn(folder, code)) add(files, path, folder);
      }
    }
    for (const [{ target, isInRuns }, joint] of doors) {
      for (const path of isInRuns ? this.#entryOf(target) : []) add(files, path, joint);
    }
    return { files, folders: new Map([...folders].filter(([, by]) => !BY_NAME.test(by))) };
  }

  /** What of a feature is loaded with its entry. */
  #entryOf(target: string): readonly string[] {
    const folder = `${target.split("/").slice(0, 3).join("/")}/`;
    return [...this.graph.reachedBy(target, true)].filter((path) => path.startsWith(folder));
  }

  /** What is started in a folder: all of an application, and of other folders what is named alone. */
  #startedIn(folder: string, code: ReadonlySet<Module>): readonly string[] {
    if (APPLICATION.test(folder)) {
      return [...this.modules.keys()].filter((path) => path.startsWith(`${folder}/`));
    }
    if (!/^(?:tests|docs)\/./.test(folder)) return [];
    const names = new Set([...code].flatMap((module) => [...module.fileNames]));
    return [...this.tree.files].filter((path) =>
      path.startsWith(`${folder}/`) && names.has(basename(path))
    );
  }
}
