import { dirname, join } from "@std/path";

/** Copies a file, or a folder with everything in it. */
export async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) {
    await Deno.mkdir(dirname(to), { recursive: true });
    await Deno.copyFile(from, to);
    return;
  }
  for await (const { name } of Deno.readDir(from)) await copy(join(from, name), join(to, name));
}
