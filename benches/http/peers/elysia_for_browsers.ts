import { cors } from "@elysiajs/cors";
import { Elysia } from "elysia";
import { ORIGIN, SECURITY_HEADERS } from "../fields.ts";

/** Its usual plugin for CORS, and security headers by hand: there is no plugin of its own for them. */
export const forBrowsers = new Elysia()
  .use(cors({ origin: [ORIGIN], credentials: false, exposeHeaders: [] }))
  .headers(SECURITY_HEADERS);
