/** With two small middleware of the user. */
import { Hono } from "hono";
import { app } from "./hono_app.ts";
import { serve } from "./serve.ts";
import { SMALL } from "./small_middleware.ts";

serve(new Hono().use(...SMALL).route("/", app).fetch);
