import type { Runtime } from "../runtime/mod.ts";
import { UsageError } from "./errors.ts";

export interface Update {
  /** Whether nothing is written. @default false */
  readonly check?: boolean | undefined;
  readonly command: string;
}

export interface Updated {
  readonly stale: boolean;
  /** To print. */
  readonly result: string;
}

/** @throws {UsageError} if another file is there */
export async function updateFile(
  { files }: Runtime,
  path: string,
  text: string,
  { check = false, command }: Update,
): Promise<Updated> {
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
  if (check) return { stale: true, result: `stale: '${command}' writes it` };
  await files.writeTextFile(path, text, { overwrite: true });
  return { stale: true, result: "written" };
}
