import { Hono } from "hono";
import { NewUser, Order, Profile } from "./schemas.ts";

/** The routes by hand on Hono, with no more than the checks. */
export const app: Hono = new Hono();

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

app.get("/profiles/:id", (c) => {
  const text = c.req.param("id");
  if (!/^-?\d+$/.test(text)) return c.json({ message: "id" }, 400);
  const result = Profile.safeParse({ id: Number(text), name: "Ada", email: "ada@example.com" });
  if (!result.success) return c.json({ message: "answer" }, 500);
  return c.json(result.data);
});

app.post("/users", async (c) => {
  const result = NewUser.safeParse(await c.req.json().catch(() => undefined));
  if (!result.success) return c.json({ message: "body" }, 400);
  return c.json(result.data, 201);
});

app.post("/orders", async (c) => {
  const result = Order.safeParse(await c.req.json().catch(() => undefined));
  if (!result.success) return c.json({ message: "body" }, 400);
  const { customer, items } = result.data;
  return c.json({ customer, items: items.length }, 201);
});
