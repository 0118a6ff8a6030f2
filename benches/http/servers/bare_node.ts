import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ZodType } from "zod";
import { integerOf, isJson, LIMIT } from "./checks.ts";
import { NewUser, Order, Profile } from "./schemas.ts";

/** The routes without any library, with the checks of ours: what the server of the runtime itself can do. */
const server = createServer((request, response) => {
  const { method, url = "" } = request;
  if (method === "GET" && url.startsWith("/users/search?")) {
    const [email, ...others] = new URLSearchParams(url.slice(url.indexOf("?"))).getAll("email");
    if (email === undefined || others.length > 0) return send(response, 400, { message: "email" });
    return send(response, 200, { id: 1, email });
  }
  if (method === "GET" && url.startsWith("/users/")) {
    const id = integerOf(url.slice("/users/".length));
    if (id === undefined) return send(response, 400, { message: "id" });
    return send(response, 200, { id, name: "Ada" });
  }
  if (method === "GET" && url.startsWith("/profiles/")) {
    const id = integerOf(url.slice("/profiles/".length));
    if (id === undefined) return send(response, 400, { message: "id" });
    const result = Profile.safeParse({ id, name: "Ada", email: "ada@example.com" });
    if (!result.success) return send(response, 500, { message: "answer" });
    return send(response, 200, result.data);
  }
  if (method === "POST" && url === "/users") {
    return receive(request, response, NewUser, (user) => send(response, 201, user));
  }
  if (method === "POST" && url === "/orders") {
    return receive(request, response, Order, ({ customer, items }) => {
      send(response, 201, { customer, items: items.length });
    });
  }
  send(response, 404, { message: "not found" });
});

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

/** What is not read of a body would be in the way of the connection's next request. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number) {
  request.resume();
  send(response, status, { message: "body" });
}

function send(response: ServerResponse, status: number, value: unknown) {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
