import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyFields, Lane, LaneCall, Transport } from "../../shared/lane.ts";
import { fitsBody } from "../../shared/lane.ts";
import { NodeHeaders } from "./headers.ts";
import { isPlainTarget, originOf, readIncoming } from "./request.ts";

export interface Opened {
  readonly request: Request;
  send(response: Response): void;
}

type Open = (outgoing: ServerResponse, isRead: boolean) => Opened;

export function nodeLane(
  lane: Lane,
  open: Open,
): (outgoing: ServerResponse) => LaneCall | undefined {
  const transport = nodeTransport(open);
  let known: string | undefined;
  return (outgoing) => {
    if (!lane.isOpen()) return undefined;
    const { req } = outgoing;
    const { method, url } = req as { readonly method: string; readonly url: string };
    const end = url.indexOf("?");
    if (end >= 0 && !isPlainTarget(url)) return undefined;
    const fields = fieldsOf(req);
    if (fields === undefined) return undefined;
    const { host } = fields;
    if (host !== known) {
      if (originOf(host) === undefined || !lane.acceptsHost(host)) return undefined;
      known = host;
    }
    const path = end < 0 ? url : url.slice(0, end);
    const call = lane.match(transport, outgoing, undefined, method, path);
    return call !== undefined && fitsBody(call, fields) ? call : undefined;
  };
}

interface Fields extends BodyFields {
  readonly host: string;
}

/** What decides about the lane, in one walk; `undefined` for a repeated field, an encoding, or no host. */
function fieldsOf({ rawHeaders }: IncomingMessage): Fields | undefined {
  const fields: { host?: string; length?: string; type?: string } = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    // By length first: few fields have these.
    const { length } = name;
    if (length !== 4 && length !== 12 && length !== 14 && length !== 17) continue;
    switch (name.toLowerCase()) {
      case "host":
        if (fields.host !== undefined) return undefined;
        fields.host = rawHeaders[index + 1]!;
        break;
      case "content-type":
        if (fields.type !== undefined) return undefined;
        fields.type = rawHeaders[index + 1]!;
        break;
      case "content-length":
        if (fields.length !== undefined) return undefined;
        fields.length = rawHeaders[index + 1]!;
        break;
      case "transfer-encoding":
        return undefined;
    }
  }
  return fields.host === undefined ? undefined : fields as Fields;
}

const OPENED: unique symbol = Symbol("opened");

function nodeTransport(open: Open): Transport<ServerResponse & { [OPENED]?: Opened }> {
  return {
    target: ({ req }) => req.url as string,
    header: ({ req }, name) => new NodeHeaders(req).get(name),
    // A client that left while its user was looked up: nothing would tell the end of its body.
    read: ({ req }) =>
      req.destroyed && !req.complete ? Promise.reject(new Error("aborted")) : readIncoming(req),
    json(outgoing, text, status, { flat }) {
      const length = String(Buffer.byteLength(text));
      outgoing.writeHead(status, [...flat, "Content-Length", length]);
      outgoing.end(text);
      return undefined;
    },
    open(outgoing, isRead) {
      outgoing[OPENED] = open(outgoing, isRead);
      return outgoing[OPENED].request;
    },
    send(outgoing, response) {
      outgoing[OPENED]!.send(response);
      return undefined;
    },
    env: (outgoing) => ({ incoming: outgoing.req, outgoing }),
  };
}
