/** With its usual plugins for metrics, an access log and a token that each request must have. */
import jwt from "@fastify/jwt";
import Fastify from "fastify";
import metrics from "fastify-metrics";
import { SECRET } from "../token.ts";
import { routes } from "./fastify_app.ts";

const app = Fastify({ logger: true });
await app.register(metrics, { endpoint: "/metrics" });
await app.register(jwt, { secret: SECRET, verify: { allowedIss: "bench", allowedAud: "bench" } });
app.addHook("onRequest", (request) => request.jwtVerify());
routes(app);

console.error(await app.listen({ host: "127.0.0.1", port: 0 }));
