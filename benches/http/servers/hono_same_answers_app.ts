import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ZodType } from "zod";
import { integerOf, isJson, LIMIT } from "./checks.ts";
import { NewUser, Order, Profile } from "./schemas.ts";

/** The routes by hand on Hono, with the limits, headers and problem details that ours has without being asked. */
export const app: Hono = new Hono();

const limited = bodyLimit({ maxSize: LIMIT, onError: (c) => problem(c, 413, "") });

app.get("/users/search", (c) => {
  const values = c.req.queries("email") ?? [];
  const [email] = values;
  if (email === undefined || values.length > 1) return problem(c, 400, "email");
  return json(c, { id: 1, email });
});

app.get("/users/:id", (c) => {
  const id = integerOf(c.req.param("id"));
  if (id === undefined) return problem(c, 400, "id");
  return json(c, { id, name: "Ada" });
});

app.get("/profiles/:id", (c) => {
  const id = integerOf(c.req.param("id"));
  if (id === undefined) return problem(c, 400, "id");
  const result = Profile.safeParse({ id, name: "Ada", email: "ada@example.com" });
  if (!result.success) return problem(c, 500, "");
  return json(c, result.data);
});

app.post("/users", limited, (c) => receive(c, NewUser, (user) => user));

app.post("/orders", limited, (c) => {
  return receive(c, Order, ({ customer, items }) => ({ customer, items: items.length }));
});

async function receive<T>(
  c: Context,
  schema: ZodType<T>,
  handle: (value: T) => unknown,
): Promise<Response> {
  if (!isJson(c.req.header("content-type"))) return problem(c, 415, "");
  const result = schema.safeParse(await c.req.json().catch(() => undefined));
  return result.success ? json(c, handle(result.data), 201) : problem(c, 400, "");
}

const NOSNIFF = { "X-Content-Type-Options": "nosniff" };

function json(c: Context, value: unknown, status: 200 | 201 = 200): Response {
  return c.json(value, status, NOSNIFF);
}

function problem(c: Context, status: 400 | 413 | 415 | 500, parameter: string): Response {
  return c.json({ status, errors: [{ parameter }] }, status, {
    ...NOSNIFF,
    "Content-Type": "application/problem+json",
  });
}
