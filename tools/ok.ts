import { runSteps } from "./_run.ts";
import { CHECKS } from "./checks.ts";

const { failed } = await runSteps(CHECKS);
Deno.exit(failed === 0 ? 0 : 1);
