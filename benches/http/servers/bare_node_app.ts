import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ZodType } from "zod";
import { integerOf, isJson, LIMIT } from "./checks.ts";
import { NewUser, Order, Profile } from "./schemas.ts";

export type Send = (response: ServerResponse, status: number, value: unknown) => void;

/** The handlers of the routes without any library, with the checks of ours for values and bodies. */
export function handlers(send: Send) {
  return {
    search(response: ServerResponse, query: string) {
      const [email, ...others] = new URLSearchParams(query).getAll("email");
      if (email === undefined || others.length > 0) {
        return send(response, 400, { message: "email" });
      }
      send(response, 200, { id: 1, email });
    },
    user(response: ServerResponse, text: string) {
      const id = integerOf(text);
      if (id === undefined) return send(response, 400, { message: "id" });
      send(response, 200, { id, name: "Ada" });
    },
    profile(response: ServerResponse, text: string) {
      const id = integerOf(text);
      if (id === undefined) return send(response, 400, { message: "id" });
      const result = Profile.safeParse({ id, name: "Ada", email: "ada@example.com" });
      if (!result.success) return send(response, 500, { message: "answer" });
      send(response, 200, result.data);
    },
    create(request: IncomingMessage, response: ServerResponse) {
      receive(request, response, NewUser, (user) => send(response, 201, user));
    },
    order(request: IncomingMessage, response: ServerResponse) {
      receive(request, response, Order, ({ customer, items }) => {
        send(response, 201, { customer, items: items.length });
      });
    },
    none: (response: ServerResponse) => send(response, 404, { message: "not found" }),
  };

  function receive<T>(
    request: IncomingMessage,
    response: ServerResponse,
    schema: ZodType<T>,
    handle: (value: T) => void,
  ) {
    const { headers } = request;
    if (!isJson(headers["content-type"])) return refuse(request, response, 415);
    if (Number(headers["content-length"]) > LIMIT) return refuse(request, response, 413);
    const chunks: Uint8Array[] = [];
    let length = 0;
    request.on("data", (chunk) => {
      length += chunk.length;
      if (length <= LIMIT) chunks.push(chunk);
    });
    request.on("end", () => {
      if (length > LIMIT) return refuse(request, response, 413);
      const bytes = Buffer.concat(chunks);
      const result = isUtf8(bytes) ? schema.safeParse(parse(bytes.toString())) : undefined;
      if (!result?.success) return send(response, 400, { message: "body" });
      handle(result.data);
    });
  }

  /** The unread rest of a body would be taken for the connection's next request. */
  function refuse(request: IncomingMessage, response: ServerResponse, status: number) {
    request.resume();
    send(response, status, { message: "body" });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Picks the handler by comparing texts. */
export function byText(
  { search, user, profile, create, order, none }: ReturnType<typeof handlers>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { method, url = "" } = request;
    if (method === "GET" && url.startsWith("/users/search?")) {
      return search(response, url.slice(url.indexOf("?")));
    }
    if (method === "GET" && url.startsWith("/users/")) return user(response, url.slice(7));
    if (method === "GET" && url.startsWith("/profiles/")) return profile(response, url.slice(10));
    if (method === "POST" && url === "/users") return create(request, response);
    if (method === "POST" && url === "/orders") return order(request, response);
    none(response);
  };
}

/** Serves on a free port, and prints where. */
export function serveNode(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  });
}
