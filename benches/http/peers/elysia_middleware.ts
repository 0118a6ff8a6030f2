/** With small hooks: one reads a header before the handler, one sets a header behind it, or behind its failure. */
import { Elysia } from "elysia";
import { routes } from "./elysia_app.ts";

const served = ({ set }) => {
  set.headers["x-served-by"] = "bench";
};
const app = new Elysia()
  .onRequest(({ request, status }) => {
    if (request.headers.get("x-blocked") !== null) return status(403, "blocked");
  })
  .onAfterHandle({ as: "global" }, served)
  .onError({ as: "global" }, served)
  .use(routes)
  .listen({ hostname: "127.0.0.1", port: 0 });

console.log(`http://127.0.0.1:${app.server?.port}`);
