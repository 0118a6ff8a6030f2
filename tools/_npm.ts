import { join } from "@std/path";

/** Installs packages into a folder by npm, without running scripts of theirs. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const file = join(folder, "package.json");
  const exists = await Deno.stat(file).then(() => true, () => false);
  if (!exists) await Deno.writeTextFile(file, '{ "private": true, "type": "module" }\n');
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  await npm(folder, ["install", "--ignore-scripts", "--prefer-offline", ...quiet, ...packages]);
}

/** Runs npm in a folder. @returns what it printed. @throws {Error} with its messages */
export async function npm(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: [...args],
    cwd,
    env,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`npm ${args[0]}: ${text(stderr)}`);
  return text(stdout);
}

/**
 * A folder with these packages. An existing one is used as it is; a new one appears only when it is complete, so that
 * processes may want the same packages at the same time: one installs them.
 *
 * @param home where these folders are: by default a folder of the user's cache, which outlives the process
 */
export async function installed(
  name: string,
  packages: readonly string[],
  home: string = cacheFolder(),
): Promise<string> {
  const folder = join(home, `${name}-${await namedAfter(packages)}`);
  const isThere = () => Deno.stat(folder).then(() => true, () => false);
  if (await isThere()) return folder;
  await Deno.mkdir(home, { recursive: true });
  await alone(`${folder}.lock`, async () => {
    if (await isThere()) return;
    const fresh = await Deno.makeTempDir({ dir: home, prefix: `.${name}-` });
    await npmInstall(fresh, packages);
    await Deno.rename(fresh, folder);
  });
  return folder;
}

/** Part of a file's name, as long as that may be. */
async function namedAfter(packages: readonly string[]): Promise<string> {
  const name = packages.join("_").replace(/[^\w.-]+/g, "-");
  if (name.length < 200) return name;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return `${name.slice(0, 100)}-${new Uint8Array(bytes).toHex().slice(0, 16)}`;
}

/** Does work while no other process does any that names the same file. */
export async function alone(path: string, work: () => Promise<void>): Promise<void> {
  using file = await Deno.open(path, { create: true, write: true });
  await file.lock(true);
  await work();
}

function cacheFolder(): string {
  const home = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? ".", ".cache");
  return join(home, "irori-tools");
}

/** Bun's executable, from npm. */
export async function bunExecutable(): Promise<string> {
  const { os, arch } = Deno.build;
  const target = `${os === "darwin" ? "darwin" : "linux"}-${
    arch === "aarch64" ? "aarch64" : "x64"
  }`;
  // Its own command is put in place by a script, which is not run.
  return join(await installed("bun", ["bun@1.4.5"]), `node_modules/@oven/bun-${target}/bin/bun`);
}
