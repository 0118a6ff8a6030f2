import { dirname, fromFileUrl, join } from "@std/path";
import { loadRuntime, type Runtime } from "../../src/runtime/mod.ts";

/** The file that is run. */
export const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));

/** For {@linkcode irori}, so that it prints the same wherever it runs. */
export const NO_VARIABLES: Runtime["env"] = { get: () => undefined, names: () => [] };

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with `config/` and `migrations/`, gone after the test. */
export interface Workspace extends AsyncDisposable {
  readonly path: string;
  /** Writes a file below the folder, with the folders it needs. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Runs the command line with this folder's `config` and `migrations`, then `args`, as {@linkcode irori} does. */
  run(...args: string[]): Promise<Outcome>;
  /** The same as a process, from another directory. */
  runStarted(...args: string[]): Promise<Outcome>;
  /** The same with variables of its own. */
  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome>;
  /** The same in the folder itself, without waiting for its end. */
  start(...args: string[]): Deno.ChildProcess;
}

export async function workspace(tree: Record<string, string> = {}): Promise<Workspace> {
  const path = await Deno.makeTempDir({ prefix: "irori-" });
  const write = async (name: string, text: string) => {
    await Deno.mkdir(dirname(join(path, name)), { recursive: true });
    await Deno.writeTextFile(join(path, name), text);
  };
  for (const [name, text] of Object.entries(tree)) await write(name, text);
  const own = ["-c", join(path, "config"), "--sqlPath", join(path, "migrations")];
  return {
    path,
    write,
    remove: (name) => Deno.remove(join(path, name), { recursive: true }),
    run: (...args) => irori([...own, ...args]),
    runStarted: (...args) => started([...own, ...args]),
    runWith: (env, ...args) => started([...own, ...args], undefined, env),
    start: (...args) => command(path, [...own, ...args], {}).spawn(),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/**
 * Runs the command line in this process, which saves its start: as if its output were files, its input empty and the
 * terminal 80 columns wide. A path that is relative, a variable, a signal or a module that changes needs
 * {@linkcode started}.
 */
export async function irori(
  args: readonly string[],
  variables?: Runtime["env"],
): Promise<Outcome> {
  const { main } = await import("../../src/cli/mod.ts");
  const { MIGRATION_FEATURES } = await import("../../src/features/migrations.ts");
  const { WEB_FEATURES } = await import("../../src/features/web.ts");
  const base = await loadRuntime();
  const env: Runtime["env"] = variables ?? {
    get: (name) => name === "NO_COLOR" ? "1" : base.env.get(name),
    names: () => base.env.names(),
  };
  const stdin: Runtime["stdin"] = {
    isTerminal: false,
    readLine: () => Promise.resolve(undefined),
    readText: () => Promise.resolve(""),
  };
  const [stdout, stderr] = [new Written(), new Written()];
  const own = { args, env, stdin, stdout, stderr, main: CLI };
  // Not assigned: what reads a member of the runtime has no setter.
  const runtime: Runtime = Object.create(base, Object.getOwnPropertyDescriptors(own));
  const code = await main(runtime, [...MIGRATION_FEATURES, ...WEB_FEATURES]);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Written {
  readonly isTerminal = false;
  readonly columns = 80;
  text = "";

  write(text: string): void {
    this.text += text;
  }

  written(): Promise<void> {
    return Promise.resolve();
  }
}

/** Runs the command line as a process. @param cwd an empty folder of its own when it is left out */
export async function started(
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  if (cwd !== undefined) return await runIn(cwd, args, env);
  const folder = await Deno.makeTempDir({ prefix: "irori-" });
  try {
    return await runIn(folder, args, env);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runIn(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { code, stdout, stderr } = await command(cwd, args, env).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

function command(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, ...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  });
}
