import { CASES } from "./cases.ts";

for (const [name, run] of Object.entries(CASES)) Deno.test(`client() + ${name}`, run);
