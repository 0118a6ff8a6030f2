import { createServer, type ServerResponse } from "node:http";
import { z } from "zod";

const NewUser = z.object({ name: z.string().min(1), email: z.email() });

/** The routes without any library: what the server of the runtime itself can do. */
const server = createServer((request, response) => {
  const { method, url = "" } = request;
  if (method === "GET" && url.startsWith("/users/search?")) {
    const email = new URLSearchParams(url.slice(url.indexOf("?"))).get("email");
    if (email === null) return send(response, 400, { message: "email" });
    return send(response, 200, { id: 1, email });
  }
  if (method === "GET" && url.startsWith("/users/")) {
    const text = url.slice("/users/".length);
    if (!/^-?\d+$/.test(text)) return send(response, 400, { message: "id" });
    return send(response, 200, { id: Number(text), name: "Ada" });
  }
  if (method === "POST" && url === "/users") {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    return request.on("end", () => {
      const result = NewUser.safeParse(parse(Buffer.concat(chunks).toString()));
      if (!result.success) return send(response, 400, { message: "body" });
      send(response, 201, result.data);
    });
  }
  send(response, 404, { message: "not found" });
});

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
