/**
 * Serves the conformance application: with the lane, without it (`off`), or with metrics and an access log (`equipped`).
 */
import { actuator } from "@irori/irori/actuator";
import { logging } from "@irori/irori/logging";
import { requestContext } from "@irori/irori/context";
import process from "node:process";
import { conformanceApp, EXTENSIONS } from "../../conformance/app.ts";

const [kind] = process.argv.slice(2);
const app = await conformanceApp(
  kind === "equipped"
    ? { extensions: [...EXTENSIONS, actuator(), logging(), requestContext()] }
    : {},
);
// An application that was extended has no lane.
if (kind === "off") app.hono.get("/never", () => new Response(null));
await app.listen();
