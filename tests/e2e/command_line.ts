import { dirname, fromFileUrl, join } from "@std/path";

/** The file that is run. */
export const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));

/** What a run of the command line gave. */
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
  /** Runs the command line with this folder's `config` and `migrations`, then `args`, from another directory. */
  run(...args: string[]): Promise<Outcome>;
  /** The same, in the folder itself and without waiting for its end. */
  start(...args: string[]): Deno.ChildProcess;
  /** The same with variables of its own: those of this process are shared with tests that run beside it. */
  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome>;
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
    runWith: (env, ...args) => irori([...own, ...args], undefined, env),
    start: (...args) => command(path, [...own, ...args], {}).spawn(),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Runs the command line as a process. @param cwd an empty folder of its own when it is left out */
export async function irori(
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
