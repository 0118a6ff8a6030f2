/** With CORS and security headers. */
import { Elysia } from "elysia";
import { routes } from "./elysia_app.ts";
import { forBrowsers } from "./elysia_for_browsers.ts";

const app = new Elysia().use(forBrowsers).use(routes).listen({ hostname: "127.0.0.1", port: 0 });

console.log(`http://127.0.0.1:${app.server?.port}`);
