import { z } from "zod";
import { serve } from "./serve.ts";

const NewUser = z.object({ name: z.string().min(1), email: z.email() });

/** The routes without any library, for runtimes whose own server takes a `fetch` function. */
serve((request) => {
  const { method, url } = request;
  const path = url.slice(url.indexOf("/", 8));
  if (method === "GET" && path.startsWith("/users/search?")) {
    const email = new URLSearchParams(path.slice(path.indexOf("?"))).get("email");
    if (email === null) return Response.json({ message: "email" }, { status: 400 });
    return Response.json({ id: 1, email });
  }
  if (method === "GET" && path.startsWith("/users/")) {
    const text = path.slice("/users/".length);
    if (!/^-?\d+$/.test(text)) return Response.json({ message: "id" }, { status: 400 });
    return Response.json({ id: Number(text), name: "Ada" });
  }
  if (method === "POST" && path === "/users") return create(request);
  return Response.json({ message: "not found" }, { status: 404 });
});

async function create(request: Request): Promise<Response> {
  const result = NewUser.safeParse(await request.json().catch(() => undefined));
  if (!result.success) return Response.json({ message: "body" }, { status: 400 });
  return Response.json(result.data, { status: 201 });
}
