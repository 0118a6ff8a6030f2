/** The command line where `import.meta.main` may be unknown, as on Node 22: runs whenever it is loaded. */
import { main } from "../src/cli/mod.ts";
import { loadRuntime } from "../src/runtime/mod.ts";

const runtime = await loadRuntime();
runtime.exit(await main(runtime));
