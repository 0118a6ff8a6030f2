import Fastify from "fastify";
import { routes } from "./fastify_app.ts";

const app = Fastify();
routes(app);

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
