/** Serves the conformance application in a setting, or `extended` by a route of Hono. */
import process from "node:process";
import { conformanceApp } from "../../conformance/app.ts";
import { type SettingName, SETTINGS } from "./settings.ts";

const [kind] = process.argv.slice(2);
const app = await conformanceApp(SETTINGS[kind as SettingName]);
if (kind === "extended") app.hono.get("/never", () => new Response(null));
await app.listen();
