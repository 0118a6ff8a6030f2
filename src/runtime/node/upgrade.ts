import type { IncomingMessage, ServerResponse } from "node:http";
import { builtin } from "../shared/builtin.ts";
import { declaresBody, mayHaveBody } from "../shared/read_bytes.ts";
import type { Answerer } from "./answerer.ts";
import { pendingAnswers } from "./connections.ts";
import { noResponse } from "./hono_listener.ts";
import type { NodeServer, WebSocketServerLike } from "./server.ts";

/** RFC 6455, 4.2.1. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/** Offers handshakes to a handler that may make WebSockets of them; other upgrades are answered as plain requests. */
export function handshakeAnswer(load: () => Offer, answerer: Answerer): DetachedAnswer {
  let offer: Offer | undefined;
  return (outgoing, release) => {
    if (!isHandshake(outgoing.req)) return answerer.answer(outgoing);
    offer ??= load();
    const { env, accept } = offer(outgoing.req);
    answerer.answer(outgoing, async (request) => {
      const { length } = Object.getOwnPropertySymbols(env);
      const response = await answerer.handler(request, Object.assign(env, { outgoing }));
      const isTaken = Object.getOwnPropertySymbols(env).length > length;
      if (!isTaken || !response.ok || response.body !== null) return response;
      release();
      accept(response);
      return await noResponse();
    });
  };
}

type Offer = (incoming: IncomingMessage) => {
  /** By one symbol more, `upgradeWebSocket` says that it takes the handshake. */
  readonly env: object;
  readonly accept: (response: Response) => void;
};

/**
 * Makes the function that offers a handshake to `@hono/node-server`. It does not listen to the server itself: it would
 * build a request with other header fields than a plain request has, and cannot answer with a body.
 */
export function handshakesBy(
  { createAdaptorServer }: ReturnType<NodeServer>,
  server: WebSocketServerLike,
): Offer {
  const { EventEmitter } = builtin<typeof import("node:events")>("node:events");
  const upgrades = new EventEmitter();
  let offered: ReturnType<Offer> | undefined;
  createAdaptorServer({
    createServer: (() => upgrades) as never,
    websocket: { server },
    fetch: (_, env) => new Promise((accept) => offered = { env, accept }),
  });
  return (incoming) => {
    const { url, headers, socket } = incoming;
    offered = undefined;
    // It builds a `Request`, which nothing reads, and fails for some targets and hosts.
    Object.assign(incoming, { url: "/", headers: { upgrade: "websocket" } });
    upgrades.emit("upgrade", incoming, socket, Buffer.alloc(0));
    Object.assign(incoming, { url, headers });
    if (offered !== undefined) return offered;
    throw new TypeError("@hono/node-server did not accept the handshake");
  };
}

/** Writes the answer, or hands the connection over after `release`, which puts back the data that has arrived since. */
export type DetachedAnswer = (outgoing: ServerResponse, release: () => void) => void;

/**
 * Answers a request with `CONNECT` or `Upgrade`, whose connection Node no longer manages, like any other request, and
 * closes the connection.
 */
export function answerDetached(
  incoming: IncomingMessage,
  head: Buffer,
  answer: DetachedAnswer,
): void {
  const { socket } = incoming;
  // Without a listener, a reset of the connection ends the process.
  socket.on("error", () => {});
  const outgoings = pendingAnswers(socket);
  const last = outgoings.at(-1);
  const drain = () => {
    for (const outgoing of outgoings) if (outgoing.socket !== null) outgoing.emit("drain");
  };
  // The end of the data is reported only when the data before it is read.
  const early = [head];
  let earlyBytes = head.length;
  const read = () => {
    for (let chunk; (chunk = socket.read()) !== null;) {
      early.push(chunk);
      earlyBytes += chunk.length;
    }
    if (earlyBytes > MAX_EARLY_BYTES) socket.destroy();
  };
  const end = () => socket.end();
  socket.on("drain", drain).on("readable", read).once("end", end);
  // Reads on where Node has paused the connection because of the pending answers.
  socket.push("");
  const begin = () => {
    if (!socket.writable) return;
    const { ServerResponse } = builtin<typeof import("node:http")>("node:http");
    const outgoing = new ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    outgoings.push(outgoing);
    outgoing.once("finish", () => socket.destroySoon());
    const status = refusedStatus(incoming);
    if (status !== undefined) outgoing.writeHead(status).end();
    else {
      answer(outgoing, () => {
        socket.off("drain", drain).off("readable", read).off("end", end);
        const rest = Buffer.concat(early);
        if (rest.length > 0) socket.unshift(rest);
      });
    }
  };
  if (last === undefined || last.closed) begin();
  else last.once("close", begin);
}

/** The status with which Node itself refuses such a plain request, before any listener is called. */
function refusedStatus({ method = "", httpVersion, headers }: IncomingMessage): number | undefined {
  const { host, expect } = headers;
  if (host === undefined && httpVersion === "1.1") return 400;
  if (expect !== undefined && !/\b100-continue\b/i.test(expect)) return 417;
  // Node leaves the body unread after an upgrade; before 22.21 it upgrades every request with `Upgrade`.
  const hasBody = declaresBody((name) => headers[name] as string | undefined);
  return mayHaveBody(method) && hasBody ? 501 : undefined;
}

/** How much may arrive before the answer; a WebSocket client waits for it (RFC 6455, 4.1). */
const MAX_EARLY_BYTES = 65_536;
