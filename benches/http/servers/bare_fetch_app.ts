import type { ZodType } from "zod";
import { integerOf, isJson, LIMIT } from "./checks.ts";
import { NewUser, Order, Profile } from "./schemas.ts";

export interface Parts {
  json(value: unknown, status?: number): Response;
  /** Reads a body as JSON. */
  read(request: Request): Promise<unknown>;
}

/** The handlers of the routes without any library, with the checks of ours for values and bodies. */
export function handlers({ json, read }: Parts) {
  return {
    search({ url }: Request) {
      const [email, ...others] = new URLSearchParams(url.slice(url.indexOf("?"))).getAll("email");
      if (email === undefined || others.length > 0) return json({ message: "email" }, 400);
      return json({ id: 1, email });
    },
    user(_: Request, text: string) {
      const id = integerOf(text);
      return id === undefined ? json({ message: "id" }, 400) : json({ id, name: "Ada" });
    },
    profile(_: Request, text: string) {
      const id = integerOf(text);
      if (id === undefined) return json({ message: "id" }, 400);
      const result = Profile.safeParse({ id, name: "Ada", email: "ada@example.com" });
      return result.success ? json(result.data) : json({ message: "answer" }, 500);
    },
    create: (request: Request) => receive(request, NewUser, (user) => user),
    order(request: Request) {
      return receive(request, Order, ({ customer, items }) => ({ customer, items: items.length }));
    },
    none: () => json({ message: "not found" }, 404),
  };

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
    const result = schema.safeParse(await read(request).catch(() => undefined));
    return result.success ? json(handle(result.data), 201) : json({ message: "body" }, 400);
  }
}

/** Picks the handler by comparing texts. */
export function byText(
  { search, user, profile, create, order, none }: ReturnType<typeof handlers>,
): (request: Request) => Response | Promise<Response> {
  return (request) => {
    const { method, url } = request;
    const path = url.slice(url.indexOf("/", 8));
    if (method === "GET" && path.startsWith("/users/search?")) return search(request);
    if (method === "GET" && path.startsWith("/users/")) return user(request, path.slice(7));
    if (method === "GET" && path.startsWith("/profiles/")) return profile(request, path.slice(10));
    if (method === "POST" && path === "/users") return create(request);
    if (method === "POST" && path === "/orders") return order(request);
    return none();
  };
}
