import { Hono } from "hono";

const app = new Hono();
app.get(
  "/hello/:name",
  (context) => context.json({ message: `Hello ${context.req.param("name")}` }),
);

export default app;
