/** With its usual plugin for CORS, and security headers by hand: there is no plugin of its own for them. */
import { cors } from "@elysiajs/cors";
import { Elysia } from "elysia";
import { ORIGIN, SECURITY_HEADERS } from "../settings.ts";
import { routes } from "./elysia_app.ts";

const app = new Elysia()
  .use(cors({ origin: [ORIGIN], credentials: false, exposeHeaders: [] }))
  .headers(SECURITY_HEADERS)
  .use(routes)
  .listen({ hostname: "127.0.0.1", port: 0 });

console.log(`http://127.0.0.1:${app.server?.port}`);
