import type { IncomingMessage, ServerResponse } from "node:http";
import { Hono } from "hono";
import { byText, handlers, type Send, serveNode } from "./bare_node_app.ts";

/**
 * The least that a server on `node:http` must do to keep our contract, one step after the other: 1 the fields that
 * decide about framing, once each; 2 `Host` and the path; 3 Hono's router, which applications may extend; 4 the fields
 * of responses; 5 requests in flight, for a shutdown.
 */
const STEP = Number(process.env.STEP ?? 5);

const FIELDS = ["Content-Type", "application/json", "X-Content-Type-Options", "nosniff"];
let inFlight = 0;
const send: Send = (response, status, value) => {
  const text = JSON.stringify(value);
  const length = String(Buffer.byteLength(text));
  if (STEP >= 4) response.writeHead(status, [...FIELDS, "Content-Length", length]);
  else response.writeHead(status, { "Content-Type": "application/json", "Content-Length": length });
  response.end(text);
  if (STEP >= 5) inFlight--;
};
const own = handlers(send);
const { search, user, profile, create, order, none } = own;
const answer = byText(own);

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse, text: string) => void;
const { router } = new Hono();
const routes: readonly [method: string, path: string, handler: Handler][] = [
  ["GET", "/users/search", ({ url }, outgoing) => search(outgoing, url!.slice(url!.indexOf("?")))],
  ["GET", "/users/:p1", (_, outgoing, text) => user(outgoing, text)],
  ["GET", "/profiles/:p1", (_, outgoing, text) => profile(outgoing, text)],
  ["POST", "/users", create],
  ["POST", "/orders", order],
];
for (const [method, path, handler] of routes) router.add(method, path, handler as never);

let known: string | undefined;
const SEGMENT = /^(?!\.\.?$)[\w.~-]+$/;
const TARGET = /^\/[\w.~/-]*(?:\?[\w.~%=&@+-]*)?$/;

serveNode((request, response) => {
  const { method = "", url = "" } = request;
  if (STEP >= 1) {
    const host = hostOf(request.rawHeaders);
    if (host === undefined) return none(response);
    if (STEP >= 2 && host !== known) {
      if (new URL(`http://${host}`).host !== host) return none(response);
      known = host;
    }
  }
  const end = url.indexOf("?");
  if (STEP >= 2 && end >= 0 && !TARGET.test(url)) return none(response);
  if (STEP >= 5) inFlight++;
  if (STEP < 3) return answer(request, response);
  const [found, stash] = router.match(method, end < 0 ? url : url.slice(0, end));
  const [handler, variables] = found[0] ?? [];
  if (handler === undefined) return none(response);
  const at = (variables as { readonly p1?: number | string }).p1;
  const text = stash === undefined ? at as string : stash[at as number];
  if (text !== undefined && !SEGMENT.test(text)) return none(response);
  (handler as unknown as Handler)(request, response, text ?? "");
});
process.on("exit", () => inFlight > 0 && console.error(`${inFlight} requests were not answered`));

/** The only `Host`; `undefined` for a field that is repeated or says that a body is encoded. */
function hostOf(raw: readonly string[]): string | undefined {
  let host: string | undefined;
  let length: string | undefined;
  let type: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    if (![4, 12, 14, 17].includes(name.length)) continue;
    const value = raw[index + 1];
    switch (name.toLowerCase()) {
      case "host":
        if (host !== undefined) return undefined;
        host = value;
        break;
      case "content-type":
        if (type !== undefined) return undefined;
        type = value;
        break;
      case "content-length":
        if (length !== undefined) return undefined;
        length = value;
        break;
      case "transfer-encoding":
        return undefined;
    }
  }
  return host;
}
