import { fromFileUrl, join } from "@std/path";
import manifest from "../deno.json" with { type: "json" };
import { filesOf, git } from "./_changes.ts";
import { Chooser } from "./_choose.ts";
import { drawn, type Fault, faultsOf } from "./_faults.ts";
import { deno } from "./_run.ts";
import { SAMPLE } from "./_tests.ts";
import { type TestFile, testFiles } from "./_test_files.ts";

const ROOT = fromFileUrl(new URL("..", import.meta.url));
const CHECKOUT = join(ROOT, ".cache/faults");
/** A fault may keep a test from ending: it has failed then. */
const LIMIT_MS = 30 * 60_000;

/** What a run of tests says of a fault. */
export interface Verdict {
  /** Tests that failed. */
  readonly failed: readonly string[];
  readonly seconds: number;
}

/** A checkout of the last commit, in which faults are planted. */
export class Checkout implements AsyncDisposable {
  private constructor(readonly signal: AbortSignal) {}

  /** @param signal ends what runs, with the reason as an error */
  static async open(signal: AbortSignal): Promise<Checkout> {
    await Deno.remove(CHECKOUT, { recursive: true }).catch(() => {}); // Of a run that was stopped.
    await git(ROOT, "worktree", "prune");
    await git(ROOT, "worktree", "add", "--quiet", "--force", "--detach", CHECKOUT);
    return new Checkout(signal);
  }

  /** Plants faults in place of those before. */
  async plant(faults: readonly Fault[]): Promise<void> {
    if (new Set(faults.map(({ file }) => file)).size < faults.length) {
      throw new Error("Two faults of one file cannot be planted together");
    }
    await git(CHECKOUT, "checkout", "--quiet", "--", ".");
    for (const { file, source } of faults) await Deno.writeTextFile(join(CHECKOUT, file), source);
  }

  /** Whether the compiler accepts what is planted: what it refuses shows nothing about tests. */
  async compiles({ file }: Fault): Promise<boolean> {
    return (await deno(["check", file], { cwd: CHECKOUT })).ok;
  }

  /** Runs `deno task test`. */
  async test(...args: readonly string[]): Promise<Verdict> {
    return await this.#run(["run", "-A", "tools/test.ts", ...args]);
  }

  /** Runs files of tests in their order beside servers that are up, by default until one fails. */
  async testFiles(
    files: readonly string[],
    env: Readonly<Record<string, string>>,
    flags: readonly string[] = ["--fail-fast"],
  ): Promise<Verdict> {
    const args = ["test", "-A", "--no-check", "--parallel", ...flags, ...SAMPLE, ...files];
    return await this.#run(args, { ...env, DENO_JOBS: "3" });
  }

  async #run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Verdict> {
    const started = performance.now();
    const running = new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd: CHECKOUT,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      env: { ...env, NO_COLOR: "1" },
      signal: this.signal,
    }).spawn();
    // 'deno test' then lists the tests that have not ended.
    const limit = setTimeout(() => running.kill("SIGINT"), LIMIT_MS);
    const { success, stdout } = await running.output();
    clearTimeout(limit);
    this.signal.throwIfAborted();
    const failed = failedIn(new TextDecoder().decode(stdout));
    return {
      failed: success || failed.length > 0 ? failed : ["a run that did not end well"],
      seconds: Math.round((performance.now() - started) / 1000),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await git(ROOT, "worktree", "remove", "--force", CHECKOUT);
  }
}

/** The tests that failed, or had not ended when the run was interrupted, by the output of a run. */
export function failedIn(output: string): readonly string[] {
  const [ended = "", pending = ""] = output.split("The following tests were pending:");
  const lines = /^FAILED {2}(\S+\.ts => .+)$|^(?:\.\/)?(\S+\.ts => .+) \.\.\. .*FAILED/gm;
  const failed = [...ended.matchAll(lines)].map(([, one, other]) => one ?? other!);
  const left = [...pending.matchAll(/^(.+) => \.\/(\S+\.ts):\d+:\d+$/gm)];
  return [...new Set([...failed, ...left.map(([, test, file]) => `${file} => ${test}`)])];
}

/** Faults of the core and of features, in the order of the seed, one of each file. */
export async function drawnFaults(
  seed: number,
): Promise<{ readonly core: readonly Fault[]; readonly features: readonly Fault[] }> {
  const faults: Fault[] = [];
  for (const path of await filesOf(CHECKOUT)) {
    const isSource = /^src\/.*\.ts$/.test(path) &&
      !manifest.exclude.some((one) => path.startsWith(`${one}/`));
    if (isSource) faults.push(...faultsOf(path, await Deno.readTextFile(join(CHECKOUT, path))));
  }
  const files = new Set<string>();
  const ordered = (await drawn(faults, seed, faultLine)).filter(({ file }) =>
    files.size < files.add(file).size
  );
  const isOfFeature = ({ file }: Fault) => file.startsWith("src/features/");
  return {
    core: ordered.filter((one) => !isOfFeature(one)),
    features: ordered.filter(isOfFeature),
  };
}

/** A fault in one line. */
export function faultLine({ file, line, column, change }: Fault): string {
  return `${file}:${line}:${column} ${change}`;
}

/** A commit, and a fault in a file that it touched. */
export interface Touched {
  readonly commit: string;
  readonly fault: Fault;
}

/** Draws commits, and of each a fault in a file that it changed and that is there today. */
export async function* touchedFaults(seed: number): AsyncIterable<Touched> {
  const commits = (await git(ROOT, "log", "--no-merges", "--format=%h %s", "--", "src"))
    .trim().split("\n");
  const { core, features } = await drawnFaults(seed);
  const faults = [...core, ...features];
  const files = new Set<string>();
  for (const commit of await drawn(commits, seed, (line) => line.slice(0, 8))) {
    const [hash = ""] = commit.split(" ");
    const changed = new Set(
      (await git(ROOT, "show", "--name-only", "--format=", hash)).trim().split("\n"),
    );
    const [fault] = await drawn(
      faults.filter(({ file }) => changed.has(file) && !files.has(file)),
      seed,
      (one) => hash + faultLine(one),
    );
    if (fault === undefined) continue;
    files.add(fault.file);
    yield { commit, fault };
  }
}

/** The sources that the last commit has, so that nothing that was found of others counts. */
export async function treeOfSources(): Promise<string> {
  return (await git(ROOT, "rev-parse", "--short", "HEAD:src")).trim();
}

/** The tests of `deno task test`, and which of them `--changed` chooses for a fault. */
export class Choices {
  private constructor(readonly tests: readonly TestFile[], readonly chooser: Chooser) {}

  static async open(): Promise<Choices> {
    const tests = await testFiles(["tests", "examples"], true);
    return new Choices(tests, await Chooser.of(tests, await filesOf()));
  }

  for({ file }: Fault): ReadonlySet<string> {
    return new Set(this.chooser.choose([file]).chosen.map((one) => one.file.path));
  }

  /** The chosen files, those first that are the fewest imports away. */
  nearestFirst(fault: Fault): readonly TestFile[] {
    const chosen = this.for(fault);
    const away = (path: string) => {
      const { files } = this.chooser.reach.from(path);
      let steps = 0;
      for (let by = files.get(fault.file); by; by = files.get(by)) steps++;
      return steps;
    };
    return this.tests.filter(({ path }) => chosen.has(path))
      .map((file) => ({ file, steps: away(file.path) }))
      .sort((one, other) => one.steps - other.steps)
      .map(({ file }) => file);
  }

  /**
   * The files of tests by the faults that do not choose them: none of these faults may fail one of them, so that each file
   * runs once for all.
   */
  unchosen<T extends { readonly fault: Fault }>(
    all: readonly T[],
  ): readonly { readonly of: readonly T[]; readonly files: readonly TestFile[] }[] {
    const chosen = all.map((one) => ({ one, paths: this.for(one.fault) }));
    const without = ({ path }: TestFile) =>
      chosen.filter(({ paths }) => !paths.has(path)).map(({ one }) => one);
    const groups = Map.groupBy(
      this.tests,
      (file) => without(file).map(({ fault }) => fault.file).join(),
    );
    return [...groups.values()].map((files) => ({
      of: without(files[0]!),
      files,
    })).filter(({ of }) => of.length > 0);
  }
}
