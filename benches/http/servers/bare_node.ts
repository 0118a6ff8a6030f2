import { createServer } from "node:http";
import { handlers, type Send } from "./bare_node_app.ts";

const send: Send = (response, status, value) => {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
};
const { search, user, profile, create, order, none } = handlers(send);

/** The routes without any library, with the checks of ours: what the server of the runtime itself can do. */
const server = createServer((request, response) => {
  const { method, url = "" } = request;
  if (method === "GET" && url.startsWith("/users/search?")) {
    return search(response, url.slice(url.indexOf("?")));
  }
  if (method === "GET" && url.startsWith("/users/")) {
    return user(response, url.slice("/users/".length));
  }
  if (method === "GET" && url.startsWith("/profiles/")) {
    return profile(response, url.slice("/profiles/".length));
  }
  if (method === "POST" && url === "/users") return create(request, response);
  if (method === "POST" && url === "/orders") return order(request, response);
  none(response);
});

server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
