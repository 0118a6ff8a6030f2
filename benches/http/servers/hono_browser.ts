/** With the middleware that Hono has for CORS and security headers. */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { ORIGIN } from "../settings.ts";
import { app } from "./hono_app.ts";
import { serve } from "./serve.ts";

serve(new Hono().use(cors({ origin: [ORIGIN] }), secureHeaders()).route("/", app).fetch);
