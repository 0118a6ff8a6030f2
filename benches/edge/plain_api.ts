import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { NewUser, User, userOf } from "./user.ts";

const user = { description: "The user", content: { "application/json": { schema: User } } };

/** The two routes of `ours_api.ts`, as the documentation of `@hono/zod-openapi` declares them. */
const app = new OpenAPIHono()
  .openapi(
    createRoute({
      method: "get",
      path: "/users/{id}",
      request: { params: z.object({ id: z.coerce.number().int() }) },
      responses: { 200: user },
    }),
    (context) => context.json(userOf(context.req.valid("param").id), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/users",
      request: { body: { required: true, content: { "application/json": { schema: NewUser } } } },
      responses: { 201: user },
    }),
    (context) => context.json({ id: 1, ...context.req.valid("json") }, 201),
  );
app.doc31("/openapi.json", { openapi: "3.1.0", info: { title: "API", version: "0.0.0" } });

export default app;
