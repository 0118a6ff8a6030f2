import { assertEquals } from "@std/assert";
import { join } from "@std/path";

/**
 * A folder with the programs of Python packages (`python`, `pip` and theirs), made once and kept outside of the
 * repository.
 *
 * @param name of the folder
 * @param requirements such as `schemathesis==4.32.5`
 */
export async function pythonPrograms(name: string, ...requirements: string[]): Promise<string> {
  const folder = join(import.meta.dirname!, "../../.cache", name);
  const programs = join(folder, "bin");
  const stamp = join(folder, "installed");
  await Deno.mkdir(join(folder, ".."), { recursive: true });
  // Files of tests run beside each other; the lock goes with the file.
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  const installed = await Deno.readTextFile(stamp).catch(() => "");
  if (installed === requirements.join("\n")) return programs;
  await makeEnvironment(folder);
  await mustRun(join(programs, "pip"), ["install", "-q", ...requirements]);
  await Deno.writeTextFile(stamp, requirements.join("\n"));
  return programs;
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input, env }: {
    readonly cwd?: string;
    readonly input?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<{ readonly code: number; readonly text: string }> {
  const process = new Deno.Command(program, {
    args: [...args],
    env: { DEBIAN_FRONTEND: "noninteractive", ...env },
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(cwd !== undefined && { cwd }),
  }).spawn();
  const sent = input === undefined
    ? undefined
    : new Blob([input]).stream().pipeTo(process.stdin).catch(() => {}); // It says itself why it ended.
  const { code, stdout, stderr } = await process.output();
  await sent;
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

/** Debian has what makes environments in a package of its own. */
async function makeEnvironment(folder: string): Promise<void> {
  const make = () => runProgram("python3", ["-m", "venv", "--clear", folder]);
  const made = await make().catch(() => ({ code: 1 }));
  if (made.code === 0) return;
  await mustRun("apt-get", ["update", "-q"]);
  await mustRun("apt-get", ["install", "-yq", "--no-install-recommends", "python3-venv"]);
  const { code, text } = await make();
  assertEquals(code, 0, text);
}

async function mustRun(program: string, args: readonly string[]): Promise<void> {
  const { code, text } = await runProgram(program, args);
  assertEquals(code, 0, text);
}
