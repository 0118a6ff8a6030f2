import type { ZodType } from "zod";
import { integerOf, isJson, LIMIT } from "./checks.ts";
import { NewUser, Order, Profile } from "./schemas.ts";
import { serve } from "./serve.ts";

/** The routes without any library, for runtimes whose own server takes a `fetch` function. */
serve((request) => {
  const { method, url } = request;
  const path = url.slice(url.indexOf("/", 8));
  if (method === "GET" && path.startsWith("/users/search?")) {
    const [email, ...others] = new URLSearchParams(path.slice(path.indexOf("?"))).getAll("email");
    if (email === undefined || others.length > 0) return json({ message: "email" }, 400);
    return json({ id: 1, email });
  }
  if (method === "GET" && path.startsWith("/users/")) {
    const id = integerOf(path.slice("/users/".length));
    if (id === undefined) return json({ message: "id" }, 400);
    return json({ id, name: "Ada" });
  }
  if (method === "GET" && path.startsWith("/profiles/")) {
    const id = integerOf(path.slice("/profiles/".length));
    if (id === undefined) return json({ message: "id" }, 400);
    const result = Profile.safeParse({ id, name: "Ada", email: "ada@example.com" });
    return result.success ? json(result.data) : json({ message: "answer" }, 500);
  }
  if (method === "POST" && path === "/users") return receive(request, NewUser, (user) => user);
  if (method === "POST" && path === "/orders") {
    return receive(request, Order, ({ customer, items }) => ({ customer, items: items.length }));
  }
  return json({ message: "not found" }, 404);
});

async function receive<T>(
  request: Request,
  schema: ZodType<T>,
  handle: (value: T) => unknown,
): Promise<Response> {
  const { headers } = request;
  if (!isJson(headers.get("content-type"))) return json({ message: "type" }, 415);
  // A body of unknown length is refused, too: its bytes would have to be counted as they come.
  const length = headers.get("content-length");
  if (length === null) return json({ message: "length" }, 411);
  if (Number(length) > LIMIT) return json({ message: "size" }, 413);
  const result = schema.safeParse(await request.json().catch(() => undefined));
  return result.success ? json(handle(result.data), 201) : json({ message: "body" }, 400);
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}
