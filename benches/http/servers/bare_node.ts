import { byText, handlers, serveNode } from "./bare_node_app.ts";

/** The routes without any library, with the checks of ours: what the server of the runtime itself can do. */
serveNode(byText(handlers((response, status, value) => {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
})));
