/** With two small hooks: one reads a header before the handler, one sets a header behind it. */
import Fastify from "fastify";
import { routes } from "./fastify_app.ts";

const app = Fastify();
app.addHook("onRequest", (request, reply, done) => {
  if (request.headers["x-blocked"] !== undefined) reply.code(403).send("blocked");
  else done();
});
app.addHook("onSend", (_request, reply, payload, done) => {
  reply.header("X-Served-By", "bench");
  done(null, payload);
});
routes(app);

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
