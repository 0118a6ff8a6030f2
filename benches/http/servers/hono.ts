import { Hono } from "hono";
import { z } from "zod";
import { serve } from "./serve.ts";

const NewUser = z.object({ name: z.string().min(1), email: z.email() });

const app = new Hono();

app.get("/users/search", (c) => {
  const email = c.req.query("email");
  if (email === undefined) return c.json({ message: "email" }, 400);
  return c.json({ id: 1, email });
});

app.get("/users/:id", (c) => {
  const text = c.req.param("id");
  if (!/^-?\d+$/.test(text)) return c.json({ message: "id" }, 400);
  return c.json({ id: Number(text), name: "Ada" });
});

app.post("/users", async (c) => {
  const result = NewUser.safeParse(await c.req.json().catch(() => undefined));
  if (!result.success) return c.json({ message: "body" }, 400);
  return c.json(result.data, 201);
});

serve(app.fetch);
