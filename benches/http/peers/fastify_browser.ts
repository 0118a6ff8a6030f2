/** With its usual plugins for CORS and security headers. */
import Fastify from "fastify";
import { routes } from "./fastify_app.ts";
import { forBrowsers } from "./fastify_for_browsers.ts";

const app = Fastify();
await forBrowsers(app);
routes(app);

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
