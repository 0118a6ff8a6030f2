import { bunExecutable } from "../../tools/_npm.ts";
import { node } from "../runtimes/executables.ts";

/** A runtime that the README of an example has a line for: how to start it, and its tests. */
interface Runtime {
  readonly name: string;
  /** Its line in the README. */
  readonly line: RegExp;
  readonly executable: () => Promise<string>;
}

export const RUNTIMES: readonly Runtime[] = [
  ...([22, 24] as const).map((version) => ({
    name: `Node ${version}`,
    line: /^\| Node 22, 24 +\| `(.+?)` +\| `(.+?)` +\|$/m,
    executable: async () => (await node(version))[0] ?? "",
  })),
  { name: "Bun", line: /^\| Bun +\| `(.+?)` +\| `(.+?)` +\|$/m, executable: bunExecutable },
  {
    name: "Deno",
    line: /^\| Deno +\| `(.+?)` +\| `(.+?)` +\|$/m,
    executable: () => Promise.resolve(Deno.execPath()),
  },
];
