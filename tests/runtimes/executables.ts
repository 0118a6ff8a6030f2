import { join, toFileUrl } from "@std/path";
import { bunExecutable, installed } from "../../tools/_npm.ts";

/** A command that runs a script of JavaScript; the script and its arguments follow. */
export type Command = readonly string[];

/** Deno, the one that runs the tests. */
export const DENO: Command = [Deno.execPath(), "run", "-A", "--quiet", "--no-lock"];

/** A Node of this major version, from npm. */
export async function node(major: 22 | 24): Promise<Command> {
  const { os, arch } = Deno.build;
  const name = `node-${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
  const folder = await installed(`node${major}`, [`${name}@${major}`]);
  return [join(folder, "node_modules", name, "bin/node")];
}

/** A Node that compiles TypeScript, decorators too. */
export async function tsx(major: 22 | 24): Promise<Command> {
  const loader = join(await buildTools(), "node_modules/tsx/dist/esm/index.mjs");
  return [...await node(major), "--import", toFileUrl(loader).href];
}

/** Bun, from npm. */
export async function bun(): Promise<Command> {
  return [await bunExecutable()];
}

/** A folder with `tsx`, `esbuild` and `typescript`. */
export function buildTools(): Promise<string> {
  return installed("build", ["tsx@4", "esbuild@0.28", "typescript@7"]);
}

/** A folder with `miniflare` and its `workerd`, which imitate an edge platform. */
export function edgeTools(): Promise<string> {
  return installed("edge", ["miniflare@4"]);
}

/** Cloudflare's command line, on a Node that it supports. */
export async function wrangler(): Promise<Command> {
  const folder = await installed("wrangler", ["wrangler@4.164.0"]);
  const cli = join(folder, "node_modules/wrangler/wrangler-dist/cli.js");
  return [...await node(22), "--no-warnings", cli];
}

/** The executable of `workerd`, not the script that starts it and does not end it. */
export async function workerd(): Promise<string> {
  const { os, arch } = Deno.build;
  const name = `@cloudflare/workerd-${os}-${arch === "aarch64" ? "arm64" : "64"}`;
  return join(await edgeTools(), "node_modules", name, "bin/workerd");
}

/** Runs a command to its end. @throws {Error} with what it printed, when it fails */
export async function run(
  [command = "", ...args]: Command,
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    ...options,
    args,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`${command} ${args.join(" ")}\n${text(stdout)}${text(stderr)}`);
  return text(stdout);
}
