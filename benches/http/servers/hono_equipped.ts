/**
 * With the middleware that Hono has for CORS, security headers, metrics and a token that each request must have. Its access
 * log has the fields of ours in one line: `logger()` of Hono writes two, without time, route and id.
 */
import { prometheus } from "@hono/prometheus";
import { Hono } from "hono";
import { jwt } from "hono/jwt";
import { routePath } from "hono/route";
import { SECRET } from "../token.ts";
import { app } from "./hono_app.ts";
import { FOR_BROWSERS } from "./hono_for_browsers.ts";
import { serve } from "./serve.ts";

const { printMetrics, registerMetrics } = prometheus();
const verification = { iss: "bench", aud: "bench" };
const equipped = new Hono()
  .use(...FOR_BROWSERS, registerMetrics)
  .use(async (c, next) => {
    const start = performance.now();
    await next();
    const { req: { method, path }, res: { status } } = c;
    console.log(JSON.stringify({
      "@timestamp": new Date().toISOString(),
      level: "INFO",
      message: `${method} ${path} ${status}`,
      logger: "http.access",
      method,
      path,
      status,
      route: routePath(c, -1),
      milliseconds: Math.round((performance.now() - start) * 10) / 10,
      requestId: crypto.randomUUID(),
    }));
    c.header("Cache-Control", "no-store");
  })
  .use(jwt({ secret: SECRET, alg: "HS256", verification }))
  .route("/", app)
  .get("/metrics", printMetrics);

serve(equipped.fetch, console.error);
