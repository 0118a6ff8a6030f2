/** The command line in one file and in one executable: the test command builds each once for all tests. */
import { join } from "@std/path";
import { alone } from "../../tools/_npm.ts";
import { buildBinary, buildCli } from "../../tools/build_cli.ts";

/** As `<folder>/irori.mjs`. @returns its path */
export function builtCli(folder: string): Promise<string> {
  return copied(folder, "irori.mjs", buildCli);
}

/** As `<folder>/irori`. @returns its path */
export function builtBinary(folder: string): Promise<string> {
  return copied(folder, "irori", buildBinary);
}

async function copied(
  folder: string,
  name: string,
  build: (folder: string) => Promise<string>,
): Promise<string> {
  const home = Deno.env.get("IRORI_TEST_INSTALLS");
  if (home === undefined) return await build(folder);
  const path = join(folder, name);
  const kept = join(home, name);
  await Deno.mkdir(home, { recursive: true });
  await alone(`${kept}.lock`, async () => {
    const isThere = await Deno.stat(kept).then(() => true, () => false);
    if (!isThere) await build(home);
  });
  await Deno.link(kept, path).catch(() => Deno.copyFile(kept, path)); // Another file system.
  return path;
}
