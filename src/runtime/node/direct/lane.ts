import type { IncomingMessage, ServerResponse } from "node:http";
import { rememberLast } from "../../../text/mod.ts";
import { fitsBody, type Lane, type LaneCall, type Transport } from "../../shared/lane.ts";
import type { HonoListener } from "../hono_listener.ts";
import { NodeExchange } from "./exchange.ts";
import { NodeHeaders } from "./headers.ts";
import { readIncoming } from "./request.ts";
import { originOf, PLAIN_TARGET } from "./target.ts";

export function nodeLane(
  lane: Lane,
  listener: HonoListener,
): (outgoing: ServerResponse) => LaneCall | undefined {
  const transport = nodeTransport(listener);
  const accepts = rememberLast((host: string) => !!originOf(host) && lane.acceptsHost(host));
  return (outgoing) => {
    if (!lane.isOpen()) return undefined;
    const { req } = outgoing;
    const { method, url } = req as { readonly method: string; readonly url: string };
    const end = url.indexOf("?");
    if (end >= 0 && !PLAIN_TARGET.test(url)) return undefined;
    const fields = fieldsOf(req);
    if (fields?.host === undefined || !accepts(fields.host)) return undefined;
    const path = end < 0 ? url : url.slice(0, end);
    const call = lane.match(transport, outgoing, undefined, method, path);
    return call !== undefined && fitsBody(call, fields) ? call : undefined;
  };
}

/** One walk reads the fields that decide about the lane; `undefined` for a repeated field, or an encoding. */
function fieldsOf({ rawHeaders }: IncomingMessage): Fields | undefined {
  const fields: Fields = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    // By length first: few fields have these.
    const { length } = name;
    if (length !== 4 && length !== 12 && length !== 14 && length !== 17) continue;
    const member = MEMBERS.get(name.toLowerCase());
    if (member === undefined) continue;
    if (member === "encoding" || fields[member] !== undefined) return undefined;
    fields[member] = rawHeaders[index + 1]!;
  }
  return fields;
}

type Fields = { [member in "host" | "length" | "type"]?: string };

const MEMBERS = new Map<string, keyof Fields | "encoding">([
  ["host", "host"],
  ["content-type", "type"],
  ["content-length", "length"],
  ["transfer-encoding", "encoding"],
]);

const EXCHANGE: unique symbol = Symbol("exchange");

function nodeTransport(
  listener: HonoListener,
): Transport<ServerResponse & { [EXCHANGE]?: NodeExchange }> {
  return {
    target: ({ req }) => req.url as string,
    header: ({ req }, name) => new NodeHeaders(req).get(name),
    // A client that left while its user was looked up: nothing would tell the end of its body.
    read: ({ req }) =>
      req.destroyed && !req.complete ? Promise.reject(new Error("aborted")) : readIncoming(req),
    json(outgoing, text, status, { flat }) {
      const length = String(Buffer.byteLength(text));
      return void outgoing.writeHead(status, [...flat, "Content-Length", length]).end(text);
    },
    open(outgoing, isRead) {
      const exchange = new NodeExchange(`http://${outgoing.req.headers.host}`, outgoing, listener);
      if (isRead) exchange.request.markRead();
      outgoing[EXCHANGE] = exchange;
      return exchange.request as unknown as Request;
    },
    send: (outgoing, response) => void outgoing[EXCHANGE]!.send(response),
    env: (outgoing) => ({ incoming: outgoing.req, outgoing }),
  };
}
