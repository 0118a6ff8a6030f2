/** Serves the conformance application in a setting, or `extended` by a route of Hono. */
import process from "node:process";
import { conformanceIn } from "./conformance_in.ts";

const [kind = ""] = process.argv.slice(2);
const app = await conformanceIn(kind);
if (kind === "extended") app.hono.get("/never", () => new Response(null));
await app.listen();
