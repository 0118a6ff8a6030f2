import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { NewUser } from "./schema.ts";

/** The same routes on bare Hono, with the same checks and the same answers. */
export function byHand(): Hono {
  const app = new Hono();
  app.get("/users", (c) => json(c, []));
  app.get("/users/search", (c) => {
    const values = c.req.queries("email") ?? [];
    const [email] = values;
    if (email === undefined || values.length > 1) return problem(c, 400, "email");
    return json(c, { id: 1, email });
  });
  app.get("/users/:id", (c) => {
    const text = c.req.param("id");
    const id = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(id)) return problem(c, 400, "id");
    return json(c, { id, name: "Ada" });
  });
  app.post("/users", bodyLimit({ maxSize: 1_048_576 }), async (c) => {
    if (!/^application\/(?:.+\+)?json(?:;|$)/.test(c.req.header("content-type") ?? "")) {
      return problem(c, 415, "");
    }
    let body: unknown;
    try {
      body = await c.req.json();
    } catch {
      return problem(c, 400, "");
    }
    const result = NewUser.safeParse(body);
    if (!result.success) return problem(c, 400, "");
    return json(c, result.data, 201);
  });
  return app;
}

const NOSNIFF = { "X-Content-Type-Options": "nosniff" };

function json(c: Context, value: unknown, status: 200 | 201 = 200): Response {
  return c.json(value, status, NOSNIFF);
}

function problem(c: Context, status: 400 | 415, parameter: string): Response {
  return c.json({ status, errors: [{ parameter }] }, status, {
    ...NOSNIFF,
    "Content-Type": "application/problem+json",
  });
}
