/** `npm create irori`: runs whenever it is loaded, as Node 22 does not know `import.meta.main`. */
import { create } from "../src/features/create/mod.ts";
import { loadRuntime, runToEnd } from "../src/runtime/mod.ts";

try {
  await runToEnd(await loadRuntime(), create);
} catch (error) {
  // `create` tells all else. Here there is no runtime yet.
  console.error(`error: ${(error as Error).message}`);
  (globalThis as { process?: { exitCode?: number } }).process!.exitCode = 2;
}
