import { dirname, join } from "@std/path";
import { main } from "../../../src/cli/mod.ts";
import { MIGRATION_FEATURES } from "../../../src/features/migrations.ts";
import { loadRuntime, type Runtime } from "../../../src/runtime/mod.ts";
import type { Outcome } from "../../e2e/command_line.ts";

/** A folder of another tool, gone after the test. */
export interface Folder extends AsyncDisposable {
  readonly path: string;
  /** Runs the command line in it. */
  run(...args: string[]): Promise<Outcome>;
  /** The same with variables of the environment. */
  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome>;
  remove(name: string): Promise<void>;
  /** Paths and sizes of all that is in it. */
  files(): Promise<readonly string[]>;
}

export async function folder(tree: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-init-" }));
  for (const [name, text] of Object.entries(tree)) {
    await Deno.mkdir(dirname(join(path, name)), { recursive: true });
    await Deno.writeTextFile(join(path, name), text);
  }
  const runWith: Folder["runWith"] = async (env, ...args) => {
    const base = await loadRuntime();
    let [stdout, stderr] = ["", ""];
    const output = { isTerminal: false, columns: 80, written: () => Promise.resolve() };
    const own: Partial<Runtime> = {
      args,
      cwd: () => path,
      env: { get: (name) => env[name], names: () => Object.keys(env) },
      stdout: { ...output, write: (text: string) => void (stdout += text) },
      stderr: { ...output, write: (text: string) => void (stderr += text) },
    };
    const runtime: Runtime = Object.create(base, Object.getOwnPropertyDescriptors(own));
    return { code: await main(runtime, MIGRATION_FEATURES), stdout, stderr };
  };
  return {
    path,
    run: (...args) => runWith({}, ...args),
    runWith,
    remove: (name) => Deno.remove(join(path, name), { recursive: true }),
    async files() {
      const found: string[] = [];
      const runtime = await loadRuntime();
      for await (
        const file of runtime.files.walk(path, { skip: (one) => one === "node_modules" })
      ) {
        const { size, mtime } = await Deno.stat(file.path);
        found.push(`${file.relative} ${size} ${mtime?.getTime()}`);
      }
      return found.sort();
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** The configuration that `init` proposes. */
export function configurationOf({ stdout }: Outcome): string {
  return JSON.parse(stdout).configuration;
}
