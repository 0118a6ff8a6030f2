/** With the middleware that Hono has for CORS and security headers. */
import { Hono } from "hono";
import { app } from "./hono_app.ts";
import { FOR_BROWSERS } from "./hono_for_browsers.ts";
import { serve } from "./serve.ts";

serve(new Hono().use(...FOR_BROWSERS).route("/", app).fetch);
