import type { ZodType } from "zod";
import { Hono } from "hono";
import { integerOf, isJson, LIMIT } from "./checks.ts";
import { NewUser, Order, Profile } from "./schemas.ts";
import { serve } from "./serve.ts";

/**
 * What a server must do to keep the contract of ours where a runtime takes a `fetch` function, as little of it as can be,
 * one step after the other: 1 Hono's router, which applications may extend; 2 `Host`; 3 the fields of responses;
 * 4 UTF-8 of bodies, strictly; 5 requests in flight, for a shutdown.
 */
const STEP = Number((globalThis as unknown as Environment).process.env.STEP ?? 5);

interface Environment {
  readonly process: { readonly env: Readonly<Record<string, string | undefined>> };
}

const FIELDS: [string, string][] = [
  ["Content-Type", "application/json"],
  ["X-Content-Type-Options", "nosniff"],
];
const OK = { status: 200, headers: FIELDS };
const CREATED = { status: 201, headers: FIELDS };
const DECODER = new TextDecoder("utf-8", { fatal: true });

type Handler = (request: Request, text: string) => Response | Promise<Response>;
const search: Handler = ({ url }) => {
  const [email, ...others] = new URLSearchParams(url.slice(url.indexOf("?"))).getAll("email");
  if (email === undefined || others.length > 0) return json({ message: "email" }, 400);
  return json({ id: 1, email });
};
const user: Handler = (_, text) => {
  const id = integerOf(text);
  return id === undefined ? json({ message: "id" }, 400) : json({ id, name: "Ada" });
};
const profile: Handler = (_, text) => {
  const id = integerOf(text);
  if (id === undefined) return json({ message: "id" }, 400);
  const result = Profile.safeParse({ id, name: "Ada", email: "ada@example.com" });
  return result.success ? json(result.data) : json({ message: "answer" }, 500);
};
const create: Handler = (request) => receive(request, NewUser, (user) => user);
const order: Handler = (request) =>
  receive(request, Order, ({ customer, items }) => ({ customer, items: items.length }));

const { router } = new Hono();
const routes: readonly [method: string, path: string, handler: Handler][] = [
  ["GET", "/users/search", search],
  ["GET", "/users/:p1", user],
  ["GET", "/profiles/:p1", profile],
  ["POST", "/users", create],
  ["POST", "/orders", order],
];
for (const [method, path, handler] of routes) router.add(method, path, handler as never);

let known: string | null = null;
let inFlight = 0;
const SEGMENT = /^(?!\.\.?$)[\w.~-]+$/;

serve((request) => {
  const { method, url } = request;
  const start = url.indexOf("/", 8);
  const end = url.indexOf("?", start);
  const path = end < 0 ? url.slice(start) : url.slice(start, end);
  if (STEP >= 2) {
    const host = request.headers.get("host");
    if (host !== known) {
      if (host === null || new URL(`http://${host}`).host !== host) return json({}, 400);
      known = host;
    }
  }
  if (STEP < 5) return answer(request, method, path);
  inFlight++;
  const response = answer(request, method, path);
  if (response instanceof Response) {
    inFlight--;
    return response;
  }
  return response.finally(() => inFlight--);
});

function answer(request: Request, method: string, path: string): Response | Promise<Response> {
  if (STEP >= 1) {
    const [found, stash] = router.match(method, path);
    const [handler, variables] = found[0] ?? [];
    if (handler === undefined) return json({}, 404);
    const at = (variables as { readonly p1?: number | string }).p1;
    const text = stash === undefined ? at as string : stash[at as number];
    if (text !== undefined && !SEGMENT.test(text)) return json({}, 404);
    return (handler as unknown as Handler)(request, text ?? "");
  }
  if (method === "GET" && path === "/users/search") return search(request, "");
  if (method === "GET" && path.startsWith("/users/")) return user(request, path.slice(7));
  if (method === "GET" && path.startsWith("/profiles/")) return profile(request, path.slice(10));
  if (method === "POST" && path === "/users") return create(request, "");
  if (method === "POST" && path === "/orders") return order(request, "");
  return json({}, 404);
}

async function receive<T>(
  request: Request,
  schema: ZodType<T>,
  handle: (value: T) => unknown,
): Promise<Response> {
  const { headers } = request;
  if (!isJson(headers.get("content-type"))) return json({ message: "type" }, 415);
  const length = headers.get("content-length");
  if (length === null) return json({ message: "length" }, 411);
  if (Number(length) > LIMIT) return json({ message: "size" }, 413);
  const value = STEP >= 4
    ? await request.arrayBuffer().then((bytes) => JSON.parse(DECODER.decode(bytes))).catch(nothing)
    : await request.json().catch(nothing);
  const result = schema.safeParse(value);
  return result.success ? json(handle(result.data), 201) : json({ message: "body" }, 400);
}

const nothing = () => undefined;

function json(value: unknown, status = 200): Response {
  if (STEP < 3) return Response.json(value, { status });
  const init = status === 200 ? OK : status === 201 ? CREATED : { status, headers: FIELDS };
  return new Response(JSON.stringify(value), init);
}
