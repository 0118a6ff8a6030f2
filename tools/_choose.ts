import { dirname } from "@std/path/posix";
import manifest from "../deno.json" with { type: "json" };
import { FEATURES } from "../tests/architecture/features.ts";
import { folderOf } from "./_budgets.ts";
import { isServer, type Need } from "./_groups.ts";
import { treeOf } from "./_named_paths.ts";
import { Reach, type Reached } from "./_reach.ts";
import type { TestFile } from "./_test_files.ts";

/** A file of tests that a change reaches. */
interface Chosen {
  readonly file: TestFile;
  /** The first change that reaches it, and how. */
  readonly because: string;
  /** What it needs of that which the change asks for: a feature asks for the servers that its own tests need. */
  readonly needs: ReadonlySet<Need>;
}

/** The answer of {@linkcode Chooser.choose}. */
export interface Choice {
  readonly chosen: readonly Chosen[];
  /** Why all tests are chosen. */
  readonly all?: string;
  /** Changed files that no test reaches. */
  readonly unreached: readonly string[];
}

/** Layers that all others stand on, and what decides how everything runs. */
const FOUNDATION = /^src\/(?:text|schema|runtime|config|http|container)\//;
const EVERYTHING = /^(?:links\/|\.ci\/|deno\.(?:json|lock)$)/;
/** What may change without a test: documents, measurements, tools of the project. */
const UNTESTED =
  /^(?:docs|benches|tools|\.github)\/|^[^/]+\.md$|^(?:LICENSE|\.git\w+|cspell\.json)$/;
/** Files that belong to the code. Others are of an unknown kind. */
const CODE = /^(?:src|tests|examples|templates|schemas)\/|^(?:mod|cli|create)\.ts$|^jsr\.json$/;

const SCRIPTS: Readonly<Record<Need, readonly string[]>> = {
  search: startedBy("opensearch", "elasticsearch"),
  sql: startedBy("sql"),
  chromium: startedBy("chromium"),
  package: ["tools/build_npm.ts"],
};

function startedBy(...names: readonly string[]): readonly string[] {
  return ["tools/_servers.ts", ...[...names, "install"].map((name) => `tests/servers/${name}.sh`)];
}

/** Chooses the tests that a change can reach: by imports, by paths that tests name, and by the table of features. */
export class Chooser {
  readonly #reached: ReadonlyMap<TestFile, Reached>;

  private constructor(readonly tests: readonly TestFile[], readonly reach: Reach) {
    this.#reached = new Map(tests.map((file) => {
      return [file, reach.from(file.path, [...file.needs].flatMap((need) => SCRIPTS[need]))];
    }));
  }

  /** @param files of the repository, from its root */
  static async of(tests: readonly TestFile[], files: Iterable<string>): Promise<Chooser> {
    return new Chooser(tests, await Reach.of(treeOf(files), manifest.exclude));
  }

  choose(changed: Iterable<string>): Choice {
    const { tests, reach } = this;
    const paths = [...changed];
    const all = paths.map(reasonForAll).find((reason) => reason !== undefined);
    if (all !== undefined) return everything(tests, all);
    const unreached = new Set(paths);
    const chosen = tests.flatMap((file): readonly Chosen[] => {
      const reasons = paths.flatMap((path) => {
        const reason = reasonFor(path, file.path, this.#reached.get(file)!, reach);
        return reason === undefined ? [] : [{ path, ...reason }];
      });
      const [first] = reasons;
      if (first === undefined) return [];
      for (const { path } of reasons) unreached.delete(path);
      const needs = [...file.needs].filter((need) =>
        !isServer(need) || reasons.some((reason) => asksFor(need, reason, tests))
      );
      return [{ file, because: first.because, needs: new Set(needs) }];
    });
    const unknown = [...unreached].find((path) =>
      !UNTESTED.test(path) && reach.tree.files.has(path)
    );
    if (unknown !== undefined) return everything(tests, `no test is known to read '${unknown}'`);
    return { chosen, unreached: [...unreached] };
  }
}

function everything(tests: readonly TestFile[], all: string): Choice {
  const chosen = tests.map((file) => ({ file, because: all, needs: file.needs }));
  return { chosen, all, unreached: [] };
}

function reasonForAll(path: string): string | undefined {
  if (FOUNDATION.test(path)) return `'${path}' is of the foundation, which everything stands on`;
  if (EVERYTHING.test(path)) return `'${path}' decides how everything runs`;
  if (CODE.test(path) || UNTESTED.test(path)) return undefined;
  return `'${path}' is of an unknown kind`;
}

/** Why a change reaches a file of tests. */
interface Reason {
  readonly because: string;
  /** Whether something reads its folder, and nothing names the file. */
  readonly isOfFolder?: boolean;
}

function reasonFor(
  path: string,
  test: string,
  { files, folders }: Reached,
  { tree }: Reach,
): Reason | undefined {
  if (path === test) return { because: `${path} changed` };
  const by = files.get(path);
  if (by !== undefined) return { because: `${by || test} uses ${path}` };
  for (const [folder, reader] of folders) {
    if (!path.startsWith(`${folder}/`)) continue;
    return { because: `${reader} reads ${folder}`, isOfFolder: true };
  }
  const feature = featureOf(path);
  if (feature !== undefined && feature === featureOf(test)) {
    return { because: `${path} is of its feature` };
  }
  const isData = path.startsWith("tests/") && !path.endsWith(".ts");
  if (isData && folderOf(path) === folderOf(test)) return { because: `${path} lies beside it` };
  // Modules that imported a deleted file have changed. Those in its folder may have read it.
  const isGone = !tree.files.has(path);
  const beside = isGone && files.keys().find((one) => dirname(one) === dirname(path));
  return beside ? { because: `${path} was deleted, ${beside} is in its folder` } : undefined;
}

/** Whether a change asks for a server of a test that it reaches. */
function asksFor(
  server: Need,
  { path, isOfFolder }: Reason & { readonly path: string },
  tests: readonly TestFile[],
): boolean {
  if (path.startsWith("docs/") && isOfFolder) return false;
  const feature = featureOf(path);
  return feature === undefined ||
    tests.some((test) => featureOf(test.path) === feature && test.needs.has(server));
}

function featureOf(path: string): string | undefined {
  const [, feature = ""] = /^(?:src|tests)\/features\/([^/]+)\//.exec(path) ?? [];
  return feature in FEATURES ? feature : undefined;
}
