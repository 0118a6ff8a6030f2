import { cors } from "@elysiajs/cors";
import { Elysia } from "elysia";
import { ORIGIN, SECURITY_HEADERS } from "../fields.ts";

/** The plugin sends these in each answer, not only to preflight requests, which need `methods` and `allowedHeaders`. */
const LEFT_OUT = {
  methods: false,
  allowedHeaders: false,
  exposeHeaders: false,
  credentials: false,
};

/** Its usual plugin for CORS, and security headers by hand: there is no plugin of its own for them. */
export const forBrowsers = new Elysia()
  .use(cors({ origin: [ORIGIN], ...LEFT_OUT }))
  .headers(SECURITY_HEADERS);
