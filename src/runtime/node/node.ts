import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { builtin } from "../shared/builtin.ts";
import { loadNodeServer, loadWebSocketServer } from "./server.ts";
import { answerDetached, handshakesBy } from "./upgrade.ts";
import { upgradeBy } from "../shared/hono_web_socket.ts";
import { PackageNotFoundError } from "../errors.ts";
import { checkPort, listenError, refusal } from "../shared/listen.ts";
import { nodeProcess } from "./process.ts";
import { nodeLane } from "./direct/lane.ts";
import type { Lane } from "../shared/lane.ts";
import { directOrigins, NodeRequest, standForRequests } from "./direct/request.ts";
import { type Recipe, recipeOf, streamOf } from "../shared/responses.ts";
import { type UpgradeSocket, WS } from "../shared/web_socket.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "../types.ts";

export function nodeRuntime(): Runtime {
  return { ...nodeProcess(), name: "node", serve };
}

async function serve(handler: FetchHandler, options: ServeOptions): Promise<HttpServer> {
  checkPort(options);
  const { port, hostname } = options;
  const { server, upgrade, connections } = await createServer(handler, options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(listenError(options, cause)));
    server.listen({ port, host: hostname }, resolve);
  });
  return {
    port: (server.address() as { readonly port: number }).port,
    hostname,
    async shutdown({ drained }) {
      // Node would wait for connections that have not asked anything yet, or not all of it, and take one for idle whose
      // answer the client has not read. Checked only now: listening for the end of every response costs each of them.
      server.closeIdleConnections = () => {
        for (const connection of connections) if (!isAnswered(connection)) connection.destroy();
      };
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const closing = setInterval(() => server.closeIdleConnections(), 5);
      try {
        await drained;
        await closed;
      } finally {
        clearInterval(closing);
      }
    },
    // `closeAllConnections()` leaves out connections that asked for an upgrade.
    cut() {
      for (const connection of connections) connection.destroy();
    },
    upgrade,
  };
}

interface Connection extends Socket {
  [ANSWER]?: ServerResponse;
  [PENDING]?: Set<ServerResponse>;
}

const ANSWER: unique symbol = Symbol("answer");
const PENDING: unique symbol = Symbol("pending");

/** Remembers a pipelined request, to which Node gives the connection only after the answer before it. */
function queue(connection: Connection, outgoing: ServerResponse): void {
  const pending = connection[PENDING] ??= new Set();
  for (const one of pending.size > 0 ? [outgoing] : [...pendingAnswers(connection), outgoing]) {
    pending.add(one);
    one.once("close", () => pending.delete(one));
  }
}

function pendingAnswers({ [ANSWER]: last, [PENDING]: all }: Connection): ServerResponse[] {
  if (all !== undefined && all.size > 0) return [...all];
  return last === undefined || last.closed ? [] : [last];
}

function isAnswered({ [ANSWER]: answer }: Connection): boolean {
  return answer !== undefined && !(answer.writableFinished && answer.req.complete);
}

interface NodeEnvironment {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Thrown to tell `@hono/node-server`, which has no other way for it, that there is nothing left to send. */
const SENT: unique symbol = Symbol("sent");

/** `@hono/node-server` would end a body that fails with its message. @throws `SENT`, as a rejection */
async function sendStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<never> {
  const { pipeline } = builtin<typeof import("node:stream/promises")>("node:stream/promises");
  // What is longer than it says would be read as the next answer.
  outgoing.strictContentLength = true;
  outgoing.setHeaders(response.headers).writeHead(response.status);
  outgoing.flushHeaders();
  // What fails has closed both ends.
  await pipeline(body as never, outgoing).catch(() => {});
  throw SENT;
}

/** RFC 6455, 4.2.1. */
function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Answers what it can without a `Request`, and without reading the response. From where on code needs
 * one, or where there is a response of another kind, the listener of `listenerOf` takes over.
 */
function directly(
  handler: FetchHandler,
  listenerOf: (handler: FetchHandler) => Listener,
  refuse: ReturnType<typeof refusal>,
  lane?: Lane,
): Listener {
  let made: ReturnType<typeof beyondLane> | undefined;
  const beyond = () => made ??= beyondLane(handler, listenerOf);
  const inTurn = turns();
  const originOf = directOrigins();
  const take = lane && nodeLane(lane, (outgoing, isRead) => {
    const { req } = outgoing;
    const opened = beyond().open(originOf(req) ?? `http://${req.headers.host}`, req, outgoing);
    if (isRead) opened.request.markRead();
    return { ...opened, request: opened.request as unknown as Request };
  });
  return (incoming, outgoing) => {
    const call = take?.(outgoing);
    if (call !== undefined) {
      return inTurn(call.readsBody, () => {
        // Nothing is left that could answer: what fails here has no failure response either.
        const cut = (error: unknown) => {
          refuse(500, error);
          outgoing.destroy();
        };
        try {
          const reply = call.answer();
          if (reply instanceof Promise) reply.catch(cut);
        } catch (error) {
          cut(error);
        }
      });
    }
    const origin = originOf(incoming);
    const { listener, open } = beyond();
    if (origin === undefined) return listener(incoming, outgoing);
    const { request, send, fail } = open(origin, incoming, outgoing);
    inTurn(request.hasBody, () => {
      let response: Response | Promise<Response>;
      try {
        response = handler(request as unknown as Request, { incoming, outgoing });
      } catch (error) {
        return fail(error);
      }
      if (response instanceof Promise) response.then(send, fail);
      else send(response);
    });
  };
}

function openerBy(takeOver: TakeOver) {
  return (origin: string, incoming: IncomingMessage, outgoing: ServerResponse) => {
    let settle: ((response: Response | Promise<Response>) => void) | undefined;
    const request = new NodeRequest(origin, incoming, outgoing, () => {
      let made: Request | undefined;
      const keep: FetchHandler = (request) => {
        made = request;
        return new Promise((resolve) => settle = resolve);
      };
      takeOver(keep, incoming, outgoing);
      if (made === undefined) throw new TypeError(`Cannot create a Request for ${request.url}`);
      return made;
    });
    const send = (response: Response) => {
      if (settle !== undefined) return settle(response);
      const recipe = recipeOf(response);
      try {
        if (recipe !== undefined && request.isReceived) write(outgoing, recipe);
        else takeOver(() => response, incoming, outgoing);
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error: unknown) => {
      const failed = Promise.reject(error);
      // No code may ask for it.
      failed.catch(() => {});
      if (settle !== undefined) settle(failed);
      else takeOver(() => failed, incoming, outgoing);
    };
    return { request, send, fail };
  };
}

/** By the next tick most bodies have arrived, and nothing has to wait for them. Later requests are answered in turn. */
function turns(): (hasBody: boolean, answer: () => void) => void {
  const { nextTick } = builtin<typeof import("node:process")>("node:process");
  let waiting = 0;
  return (hasBody, answer) => {
    if (!hasBody && waiting === 0) return answer();
    waiting++;
    nextTick(() => {
      waiting--;
      answer();
    });
  };
}

type TakeOver = (by: FetchHandler, ...message: Parameters<Listener>) => void;

/** Made when a request needs it: `@hono/node-server` and the `Request` of Node take 20 ms to load. */
function beyondLane(handler: FetchHandler, listenerOf: (handler: FetchHandler) => Listener) {
  let taker: FetchHandler | undefined;
  // Called synchronously, while the handler is known.
  const listener = listenerOf((request, env) => {
    const by = taker ?? handler;
    taker = undefined;
    return by(request, env);
  });
  standForRequests();
  const open = openerBy((by, ...message) => {
    taker = by;
    try {
      listener(...message);
    } finally {
      taker = undefined;
    }
  });
  return { listener, open };
}

function write(outgoing: ServerResponse, { status, body, fields }: Recipe): void {
  outgoing.writeHead(status, { ...fields, "Content-Length": Buffer.byteLength(body) });
  outgoing.end(body);
}

async function createServer(
  handler: FetchHandler,
  options: ServeOptions,
): Promise<{
  readonly server: Server;
  readonly upgrade: UpgradeSocket;
  readonly connections: ReadonlySet<Connection>;
}> {
  const [node, sockets] = await Promise.all([
    loadNodeServer(),
    loadWebSocketServer(),
  ]);
  const { createServer } = builtin<typeof import("node:http")>("node:http");
  const listenerFor = listenersBy(node, options);
  const onRequest = requestsTo(listenerFor(handler, options.lane));
  const server = createServer(serverOptions(options, sockets !== undefined), onRequest);
  const connections = connectionsOf(server);
  // Without a listener Node closes the connection without an answer.
  server.on("connect", (incoming, socket: Connection, head) => {
    // Its target is an address, from which no URL can be built.
    incoming.url = "/";
    answerDetached(incoming, socket, head, pendingAnswers(socket), (outgoing) => {
      onRequest(incoming, outgoing);
    });
  });
  // Without a listener Node answers handshakes as plain requests.
  if (sockets) {
    let offer: ReturnType<typeof handshakesBy> | undefined;
    server.on("upgrade", (incoming, socket: Connection, head) => {
      answerDetached(incoming, socket, head, pendingAnswers(socket), (outgoing, release) => {
        if (!isWebSocket(incoming)) return onRequest(incoming, outgoing);
        offer ??= handshakesBy(node(), sockets());
        const { env, isTaken, accept } = offer(incoming, socket);
        const answer: FetchHandler = async (request) => {
          const response = await handler(request, Object.assign(env, { outgoing }));
          if (!isTaken() || !response.ok || response.body !== null) return response;
          release();
          accept(response);
          throw SENT;
        };
        requestsTo(listenerFor(answer))(incoming, outgoing);
      });
    });
  }
  return {
    server,
    connections,
    upgrade: (...request) => {
      if (!sockets) throw new PackageNotFoundError(WS.name, WS.range);
      return upgradeBy(node().upgradeWebSocket as never)(...request);
    },
  };
}

function listenersBy(
  node: Awaited<ReturnType<typeof loadNodeServer>>,
  options: ServeOptions,
): (handler: FetchHandler, lane?: Lane) => Listener {
  const refuse = refusal(options);
  const listenerOf = (handler: FetchHandler) =>
    node().getRequestListener((request, env) => {
      const { outgoing } = env as NodeEnvironment;
      const send = (response: Response) => {
        const body = streamOf(response);
        return body === undefined ? response : sendStream(response, body, outgoing);
      };
      const response = handler(request, env);
      return response instanceof Promise ? response.then(send) : send(response);
    }, {
      // For HTTP/1.0, which may leave the host out.
      hostname: "localhost",
      errorHandler: (error) => {
        if (error === SENT) return;
        return refuse(error instanceof node().RequestError ? 400 : 500, error);
      },
    });
  return (handler, lane) =>
    directly(
      handler,
      (handler) => {
        const listener = listenerOf(handler);
        return (incoming, outgoing) => {
          // What it throws here would end the process.
          listener(incoming, outgoing).catch((error) => {
            if (outgoing.headersSent) return outgoing.destroy();
            const { status, headers } = refuse(500, error);
            outgoing.writeHead(status, Object.fromEntries(headers)).end();
          });
        };
      },
      refuse,
      lane,
    );
}

/** Passes requests to a listener: notes their connection, and rewrites targets of which no `Request` can be made. */
function requestsTo(listener: Listener): Listener {
  return (incoming, outgoing) => {
    const socket = incoming.socket as Connection;
    if (outgoing.socket === null) queue(socket, outgoing);
    socket[ANSWER] = outgoing;
    if (incoming.url === "*" && incoming.method === "OPTIONS") incoming.url = "/*";
    // A target with credentials, or a scheme in capitals, is taken by its path.
    if (incoming.url?.[0] !== "/") {
      incoming.url = incoming.url?.replace(
        /^(https?:\/\/)(?:[^/?#]*@)?/i,
        (_, scheme) => scheme.toLowerCase(),
      );
    }
    listener(incoming, outgoing);
  };
}

function serverOptions({ idleSeconds, requestSeconds }: ServeOptions, hasSockets: boolean) {
  return {
    // Node 24 then emits no end event that nothing listens for: a tenth of a GET.
    optimizeEmptyRequests: true,
    ...(requestSeconds !== undefined && {
      // Bodies have a limit of ours where they are read as a whole, and none where they are streamed.
      requestTimeout: 0,
      headersTimeout: requestSeconds * 1000,
      connectionsCheckingInterval: 1000,
    }),
    ...(idleSeconds !== undefined && { keepAliveTimeout: idleSeconds * 1000 }),
    // Any other upgrade is ignored: the request is answered as it is (Node 22.21 and later ask).
    ...(hasSockets && { shouldUpgradeCallback: isWebSocket }),
  };
}

function connectionsOf(server: Server): ReadonlySet<Connection> {
  const { nextTick } = builtin<typeof import("node:process")>("node:process");
  const connections = new Set<Connection>();
  server.on("connection", (connection: Connection) => {
    connections.add(connection);
    connection.once("close", () => {
      connections.delete(connection);
      // Node 22 never closes these, and Node 24 does not after an upgrade or `CONNECT`.
      for (const outgoing of connection[PENDING] ?? []) {
        outgoing.destroy();
        nextTick(() => outgoing.closed || outgoing.emit("close"));
      }
    });
  });
  return connections;
}
