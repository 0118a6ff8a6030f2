import { denoRuntime } from "../../src/runtime/deno/deno.ts";
import { nodeRuntime } from "../../src/runtime/node/node.ts";
import { HTTP_CLIENT_CASES } from "../contracts/http_client_contract.ts";
import { RUNTIME_CASES } from "../contracts/runtime_contract.ts";

for (const runtime of [denoRuntime(), await nodeRuntime()]) {
  for (const { name, run } of [...RUNTIME_CASES, ...HTTP_CLIENT_CASES]) {
    Deno.test(`${runtime.name}Runtime + ${name}`, async () => {
      const folder = await Deno.makeTempDir();
      try {
        await run(runtime, folder);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
}
