/** With its usual plugins for CORS, metrics, an access log and a token that each request must have, and security headers. */
import { logger } from "@bogeychan/elysia-logger";
import { bearer } from "@elysiajs/bearer";
import { jwt } from "@elysiajs/jwt";
import { Elysia } from "elysia";
import prometheus from "elysia-prometheus";
import { SECRET } from "../token.ts";
import { routes } from "./elysia_app.ts";
import { forBrowsers } from "./elysia_for_browsers.ts";

const app = new Elysia()
  .use(forBrowsers)
  .headers({ "Cache-Control": "no-store" })
  .use(prometheus())
  .use(logger({ autoLogging: true }))
  .use(jwt({ name: "jwt", secret: SECRET, iss: "bench", aud: "bench" }))
  .use(bearer())
  .onBeforeHandle({ as: "global" }, async ({ jwt, bearer, status }) => {
    const claims = await jwt.verify(bearer);
    if (!claims || claims.iss !== "bench" || claims.aud !== "bench") return status(401);
  })
  .use(routes)
  .listen({ hostname: "127.0.0.1", port: 0 });

console.error(`http://127.0.0.1:${app.server?.port}`);
