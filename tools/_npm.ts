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
export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: [...args],
    cwd,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`npm ${args[0]}: ${text(stderr)}`);
  return text(stdout);
}

/**
 * A folder with these packages. An existing one is used as it is; a new one appears only when it is complete, so that
 * processes may install the same packages at the same time.
 *
 * @param home where these folders are: by default a folder of the user's cache, which outlives the process
 */
export async function installed(
  name: string,
  packages: readonly string[],
  home: string = cacheFolder(),
): Promise<string> {
  const versions = packages.join("_").replace(/[^\w.-]+/g, "-");
  const folder = join(home, `${name}-${versions}`);
  if (await Deno.stat(folder).then(() => true, () => false)) return folder;
  await Deno.mkdir(home, { recursive: true });
  const fresh = await Deno.makeTempDir({ dir: home, prefix: `.${name}-` });
  await npmInstall(fresh, packages);
  try {
    await Deno.rename(fresh, folder);
  } catch {
    await Deno.remove(fresh, { recursive: true }); // Another process was first.
  }
  return folder;
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
