/**
 * Measures the cost of the library where a bundle is sent and started often, in one run: its size beside the same route on
 * plain Hono, and with two validated routes and a document beside `@hono/zod-openapi`; and the time from the start of a
 * process to the first response beside plain Hono. Ends with 1 when a bound is not kept.
 *
 * @module
 */
import { coldStarts } from "./edge/cold_start.ts";
import { Project } from "./edge/project.ts";
import { bundleSizes } from "./edge/size.ts";
import { machine } from "./machine.ts";
import { report } from "./web/report.ts";

await using project = await Project.create();
const kept = report([...await bundleSizes(project), ...await coldStarts(project)]);
console.log(machine());
Deno.exitCode = kept ? 0 : 1;
