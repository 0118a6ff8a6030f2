/** With its usual plugins for CORS, security headers, metrics, an access log and a token that each request must have. */
import jwt from "@fastify/jwt";
import Fastify from "fastify";
import metrics from "fastify-metrics";
import { SECRET } from "../token.ts";
import { routes } from "./fastify_app.ts";
import { forBrowsers } from "./fastify_for_browsers.ts";

const app = Fastify({ logger: true });
await forBrowsers(app);
await app.register(metrics, { endpoint: "/metrics" });
await app.register(jwt, { secret: SECRET, verify: { allowedIss: "bench", allowedAud: "bench" } });
app.addHook("onRequest", (request, reply) => {
  reply.header("Cache-Control", "no-store");
  return request.jwtVerify();
});
routes(app);

console.error(await app.listen({ host: "127.0.0.1", port: 0 }));
