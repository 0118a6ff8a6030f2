import { runSteps } from "./_run.ts";
import { CHECKS } from "./checks.ts";

const { failed, failures } = await runSteps(CHECKS);
for (const failure of failures) console.log(failure);
Deno.exit(failed === 0 ? 0 : 1);
