/** With its usual plugins for CORS and security headers, which send what Hono's middleware sends. */
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import Fastify from "fastify";
import { ORIGIN } from "../settings.ts";
import { routes } from "./fastify_app.ts";

const app = Fastify();
await app.register(cors, { origin: [ORIGIN] });
await app.register(helmet, { contentSecurityPolicy: false, hsts: { maxAge: 15_552_000 } });
routes(app);

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
