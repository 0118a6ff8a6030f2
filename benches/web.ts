/**
 * Measures the cost of the library beside the same routes written by hand on Hono, in one process, and what many
 * controllers and clients cost at startup and in the type check. Ends with 1 when a bound is not kept.
 *
 * @module
 */
import { machine } from "./machine.ts";
import { metricsCosts } from "./web/metrics.ts";
import { returnsCost } from "./web/returns.ts";
import { bootstrapTimes } from "./web/startup.ts";
import { report } from "./web/report.ts";
import { throughput } from "./web/throughput.ts";
import { clientCheckTimes, returnsCheckTimes, typeCheckTimes } from "./web/type_check.ts";

const kept = report([
  ...await throughput(),
  await returnsCost(),
  ...await metricsCosts(),
  await bootstrapTimes(),
  await typeCheckTimes(),
  await clientCheckTimes(),
  await returnsCheckTimes(),
]);
// Startup and type check are bounded in time: on a machine that does something else they say nothing.
console.log(machine());
Deno.exit(kept ? 0 : 1);
