/**
 * Runs the contracts of `src/runtime` on the runtime that runs this, and prints a JSON array of outcomes.
 * `adapter_child.ts <its name>`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadRuntime } from "../../src/runtime/mod.ts";
import { HTTP_CLIENT_CASES } from "../contracts/http_client_contract.ts";
import { RUNTIME_CASES } from "../contracts/runtime_contract.ts";

/** The result of one case of a contract. */
export interface AdapterOutcome {
  readonly name: string;
  /** Why it failed. */
  readonly failure?: string;
}

const runtime = await loadRuntime();
const outcomes: AdapterOutcome[] = [{ name: runtime.name }];
for (const { name, run } of [...RUNTIME_CASES, ...HTTP_CLIENT_CASES]) {
  const folder = await mkdtemp(join(tmpdir(), "irori-"));
  try {
    await run(runtime, folder);
    outcomes.push({ name });
  } catch (error) {
    outcomes.push({ name, failure: error instanceof Error ? `${error.stack}` : `${error}` });
  }
  await rm(folder, { recursive: true });
}
runtime.stdout.write(JSON.stringify(outcomes));
// Servers of the cases may have connections that a client keeps open.
runtime.exit(0);
