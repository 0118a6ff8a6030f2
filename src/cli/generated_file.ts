import type { Runtime } from "../runtime/mod.ts";
import { UsageError } from "./errors.ts";

/** With `check` nothing is written; `by` is the command that writes it. */
export type GeneratedFile = [path: string, text: string, by: string, check: boolean | undefined];

/** @returns whether it was stale, and what to print. @throws {UsageError} if another file is there */
export async function updateFile({ files }: Runtime, ...[path, text, by, check]: GeneratedFile) {
  // A pipe would be waited for, and is never up to date.
  const before = (await files.stat(path))?.isFile ? await files.readTextFile(path) : undefined;
  // Line ends are those of the checkout.
  if (before?.replaceAll("\r\n", "\n") === text) return { stale: false, result: "up to date" };
  const [mark] = /^\/\/ Written by '[^']+'/.exec(text)!;
  if (before?.trim() && !before.startsWith(mark)) {
    throw new UsageError(
      `'${path}' does not begin with "${mark}": delete it, or name another file`,
    );
  }
  if (check) return { stale: true, result: `stale: '${by}' writes it` };
  await files.writeTextFile(path, text, { overwrite: true });
  return { stale: true, result: "written" };
}
