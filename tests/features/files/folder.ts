import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The time at which each file was changed: that of the examples in RFC 9110, 5.6.7. */
export const MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT";

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** As long as the one in RFC 9110, 14.1.2. */
export const DIGITS = "0123456789".repeat(1000);

/** Files that are served, by their paths below the root. */
export const SERVED: Readonly<Record<string, string>> = {
  "letters.txt": LETTERS,
  "digits.bin": DIGITS,
  "empty.txt": "",
  "page.html": "<p>page</p>",
  "sub/inner.txt": "inner",
  "Größe 100.txt": "name",
  "console.log": "no device",
  "com10": "no device",
  "a..b": "dots",
};

/** Files that are there and never served. */
export const HIDDEN: readonly string[] = [
  ".env",
  ".git/config",
  "sub/.hidden",
  "..double",
  "CON",
  "nul.txt",
  "Aux.tar.gz",
  "com1.log",
  "LPT9",
  "com¹",
  "CONIN$",
  "prn .txt",
  "trailing.",
  "trailing ",
  "dir./inner.txt",
  "a:b",
  "letters.txt::$DATA",
  "back\\slash",
  "..\\letters.txt",
  "bell\u0007",
  "line\nbreak",
];

/** Links, by what they lead to from their folder; those whose names begin with `in` stay in the root. */
export const LINKS: Readonly<Record<string, string>> = {
  "in": "letters.txt",
  "in-folder": "sub",
  "sub/in-up": "../letters.txt",
  "out": "../outside.txt",
  "out-folder": "../outside",
  "out-beside": "../root-beside/letters.txt",
  "out-root": "/",
  "out-dot": ".env",
  "out-device": "CON",
  "loop": "loop",
  "nowhere": "nothing",
};

/** A folder `root` with files, links and a pipe, and files beside it that no request may reach. */
export async function makeFolder(): Promise<{ readonly root: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "irori-files-"));
  const root = join(folder, "root");
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await utimes(path, new Date(MODIFIED), new Date(MODIFIED));
  };
  for (const [path, text] of Object.entries(SERVED)) await write(join(root, path), text);
  for (const path of HIDDEN) await write(join(root, path), "secret");
  for (const path of ["outside.txt", "outside/letters.txt", "root-beside/letters.txt"]) {
    await write(join(folder, path), "secret");
  }
  for (const [path, target] of Object.entries(LINKS)) await symlink(target, join(root, path));
  execFileSync("mkfifo", [join(root, "pipe")]);
  return { root, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
