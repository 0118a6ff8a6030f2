import { runSteps } from "./_run.ts";
import { CHECKS } from "./_checks.ts";

// The types take the longest, on one core.
const { failed, failures } = await runSteps(CHECKS, undefined, 2);
for (const failure of failures) console.log(failure);
Deno.exit(failed === 0 ? 0 : 1);
