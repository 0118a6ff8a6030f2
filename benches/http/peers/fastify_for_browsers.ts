import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { ORIGIN } from "../fields.ts";

/** Set to send what Hono's middleware sends. */
export const HELMET = { contentSecurityPolicy: false, hsts: { maxAge: 15_552_000 } };

/** Its usual plugins for CORS and security headers. */
export async function forBrowsers(app: FastifyInstance): Promise<void> {
  await app.register(cors, { origin: [ORIGIN] });
  await app.register(helmet, HELMET);
}
