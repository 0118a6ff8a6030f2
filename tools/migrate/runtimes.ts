/** In place of the adapters to Node and Bun: they serve nothing, and so need no package that serves. */
import { nodeProcess } from "../../src/runtime/node/process.ts";
import type { Runtime } from "../../src/runtime/types.ts";

export function nodeRuntime(): Runtime {
  return { ...nodeProcess(), name: "node", serve };
}

export function bunRuntime(): Runtime {
  return { ...nodeProcess(), name: "bun", serve };
}

function serve(): Promise<never> {
  return Promise.reject(new Error("'irori-migrate' serves nothing: the package 'irori' does"));
}
