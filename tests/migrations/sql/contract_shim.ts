/**
 * Replaces the functions of Deno that the contract of SQL dialects and its fixtures use, on other runtimes. Must be
 * imported first.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

interface Declared {
  readonly name: string;
  readonly ignore?: boolean;
  fn(): Promise<void>;
}

/** The tests that were declared. */
export const declared: Declared[] = [];

Object.assign(globalThis, {
  addEventListener: () => {}, // Node has none, and the folder stays empty.
  Deno: {
    args: [],
    test: (one: Declared | string, fn: Declared["fn"]) =>
      declared.push(typeof one === "string" ? { name: one, fn } : one),
    build: { os: process.platform },
    env: { get: (name: string) => process.env[name] },
    makeTempDirSync: ({ prefix }: { prefix: string }) => mkdtempSync(join(tmpdir(), prefix)),
    removeSync: (path: string) => rmSync(path, { recursive: true }),
    readTextFile: (path: string) => readFile(path, "utf8"),
    stat: async (path: string) => ({ isDirectory: (await stat(path)).isDirectory() }),
  },
});
