import { dirname } from "../../runtime/path.ts";
import { FileNotFoundError, type Runtime } from "../../runtime/mod.ts";

/** Writes a generated file that is stale; with `check` it writes nothing. @returns whether it was stale, and what to print */
export async function updateFile(
  { files }: Runtime,
  path: string,
  text: string,
  { check = false, command }: { readonly check?: boolean | undefined; readonly command: string },
): Promise<{ readonly stale: boolean; readonly result: string }> {
  const before = await files.readTextFile(path).catch((error): undefined => {
    if (!(error instanceof FileNotFoundError)) throw error;
  });
  // Line ends are those of the checkout.
  if (before?.replaceAll("\r\n", "\n") === text) return { stale: false, result: "up to date" };
  if (check) return { stale: true, result: `stale: '${command}' writes it` };
  await files.ensureDir(dirname(path));
  await files.writeTextFile(path, text, { overwrite: true });
  return { stale: true, result: "written" };
}
