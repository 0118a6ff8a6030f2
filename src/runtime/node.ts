import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { builtin } from "./_builtin.ts";
import { loadNodeServer, loadWebSocketServer } from "./_node_server.ts";
import { upgradeBy } from "./_hono_web_socket.ts";
import { PackageNotFoundError } from "./errors.ts";
import { checkPort, listenError, refusal } from "./_listen.ts";
import { nodeProcess } from "./_node_process.ts";
import { directOrigins, NodeRequest, standForRequests } from "./_node_request.ts";
import { type Recipe, recipeOf } from "./responses.ts";
import { streamOf } from "./streamed.ts";
import { type UpgradeSocket, WS } from "./web_socket.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "./types.ts";

/** The adapter for Node 22 and later. */
export function nodeRuntime(): Runtime {
  return { ...nodeProcess(), name: "node", serve };
}

/** Serves by `@hono/node-server`, which is loaded only now. */
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
      // answer the client has not read. Looked for only now: to hear of the end of every response costs each of them.
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
    cut: () => server.closeAllConnections(),
    upgrade,
  };
}

/** A connection, with the last answer that was begun on it. */
interface Connection extends Socket {
  [ANSWER]?: ServerResponse;
}

const ANSWER: unique symbol = Symbol("answer");

/** Whether an answer is on its way, or the rest of what is answered. */
function isAnswered({ [ANSWER]: answer }: Connection): boolean {
  return answer !== undefined && !(answer.writableFinished && answer.req.complete);
}

type NodeServer = Awaited<ReturnType<typeof loadNodeServer>>;

/** What `@hono/node-server` gives beside a request. */
interface NodeEnvironment {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Thrown to tell `@hono/node-server`, which has no other way for it, that there is nothing left to send. */
const SENT: unique symbol = Symbol("sent");

/**
 * Sends a body that is made while it is sent. `@hono/node-server` would end one that fails with its message.
 *
 * @throws `SENT`, as a rejection, or what Node cannot send
 */
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

/**
 * Sends answers to WebSocket handshakes that nobody takes, of which `@hono/node-server` would send the head alone and
 * leave the body unread.
 *
 * @returns a function whose promise is resolved when the answer is sent and its connection closed, or is an upgrade
 */
function untakenUpgrades(
  listenerOf: (handler: FetchHandler) => ReturnType<NodeServer["getRequestListener"]>,
): (response: Response, env: NodeEnvironment) => Promise<Response> {
  const { ServerResponse } = builtin<typeof import("node:http")>("node:http");
  const answers = new WeakMap<object, Response>();
  const listener = listenerOf((_, env) => {
    return answers.get((env as NodeEnvironment).incoming) ?? new Response(null, { status: 500 });
  });
  return async (response, { incoming }) => {
    // That of an upgrade has none; to one without a body there is nothing to add.
    if (response.body === null) return response;
    const { socket } = incoming;
    answers.set(incoming, response);
    const outgoing = new ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    // Nobody else reads it any more, and would hear that the client leaves.
    socket.once("end", () => socket.destroy()).resume();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    outgoing.once("finish", () => socket.destroySoon()).once("close", () => socket.destroySoon());
    await listener(incoming, outgoing).catch(() => socket.destroy());
    if (!socket.destroyed) await closed;
    return response;
  };
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Answers what it can without a `Request`, and without asking the response for anything. From where on somebody wants
 * one, or where there is a response of another kind, the listener of `listenerOf` takes over.
 */
function directly(
  handler: FetchHandler,
  listenerOf: (handler: FetchHandler) => Listener,
): Listener {
  let taker: FetchHandler | undefined;
  // It calls at once, while it is known by whom.
  const listener = listenerOf((request, env) => {
    const by = taker ?? handler;
    taker = undefined;
    return by(request, env);
  });
  const takeOver = (by: FetchHandler, ...message: Parameters<Listener>) => {
    taker = by;
    try {
      listener(...message);
    } finally {
      taker = undefined;
    }
  };
  /** How many requests wait for the next tick. */
  let waiting = 0;
  standForRequests();
  const originOf = directOrigins();
  const { nextTick } = builtin<typeof import("node:process")>("node:process");
  return (incoming, outgoing) => {
    const origin = originOf(incoming);
    if (origin === undefined) return listener(incoming, outgoing);
    let settle: ((response: Response | Promise<Response>) => void) | undefined;
    const request = new NodeRequest(origin, incoming, outgoing, () => {
      let made: Request | undefined;
      takeOver(
        (request) => {
          made = request;
          return new Promise((resolve) => settle = resolve);
        },
        incoming,
        outgoing,
      );
      if (made === undefined) throw new TypeError(`Cannot make a Request of ${request.url}`);
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
      // Nobody may ask for it.
      failed.catch(() => {});
      if (settle !== undefined) settle(failed);
      else takeOver(() => failed, incoming, outgoing);
    };
    const answer = () => {
      let response: Response | Promise<Response>;
      try {
        response = handler(request as unknown as Request, { incoming, outgoing });
      } catch (error) {
        return fail(error);
      }
      if (response instanceof Promise) response.then(send, fail);
      else send(response);
    };
    if (!request.hasBody && waiting === 0) return answer();
    // By then most bodies are there, and nobody has to wait for them. What comes meanwhile is answered in its turn.
    waiting++;
    nextTick(() => {
      waiting--;
      answer();
    });
  };
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
  /** Those that speak HTTP. */
  readonly connections: ReadonlySet<Connection>;
}> {
  const [node, sockets] = await Promise.all([
    loadNodeServer(),
    loadWebSocketServer(),
  ]);
  const { createAdaptorServer, getRequestListener, RequestError, upgradeWebSocket } = node;
  const { createServer } = builtin<typeof import("node:http")>("node:http");
  const { idleSeconds, requestSeconds } = options;
  const refuse = refusal(options);
  const listenerOf = (handler: FetchHandler) =>
    getRequestListener((request, env) => {
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
        return refuse(error instanceof RequestError ? 400 : 500, error);
      },
    });
  const listener = directly(handler, (handler) => {
    const listener = listenerOf(handler);
    return (incoming, outgoing) => {
      // What it throws here would end the process.
      listener(incoming, outgoing).catch((error) => {
        if (outgoing.headersSent) return outgoing.destroy();
        const { status, headers } = refuse(500, error);
        outgoing.writeHead(status, Object.fromEntries(headers)).end();
      });
    };
  });
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    (incoming.socket as Connection)[ANSWER] = outgoing;
    if (incoming.url === "*" && incoming.method === "OPTIONS") incoming.url = "/*";
    // No request can be made of a target with credentials; it is taken by its path.
    if (incoming.url?.includes("@")) {
      incoming.url = incoming.url.replace(/^(https?:\/\/)[^/?#]*@/i, "$1");
    }
    listener(incoming, outgoing);
  };
  const serverOptions = {
    // Node 24 has no stream end then that nobody hears of: a tenth of a GET.
    optimizeEmptyRequests: true,
    ...(requestSeconds !== undefined && {
      // Bodies have a limit of ours where they are read as a whole, and none where they are streamed.
      requestTimeout: 0,
      headersTimeout: requestSeconds * 1000,
      connectionsCheckingInterval: 1000,
    }),
    ...(idleSeconds !== undefined && { keepAliveTimeout: idleSeconds * 1000 }),
    // Any other upgrade is one that nobody takes: the request is answered as it is (Node 22.21 and later ask).
    ...(sockets && { shouldUpgradeCallback: isWebSocket }),
  };
  const untaken = untakenUpgrades(listenerOf);
  const server = createAdaptorServer({
    // Asked for WebSockets alone.
    fetch: async (request, env) => {
      const response = await handler(request, env);
      return await untaken(response, env as NodeEnvironment);
    },
    // With a listener of ours in place of its own: it has no way to be told what to do about failures.
    createServer: (() => createServer(serverOptions, onRequest)) as typeof createServer,
    ...(sockets && { websocket: { server: sockets } }),
  }) as Server;
  const connections = new Set<Connection>();
  server.on("connection", (connection: Connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  // With a listener every upgrade would be one.
  if (sockets) server.on("upgrade", ({ socket }) => connections.delete(socket));
  // Without a listener Node closes the connection without an answer.
  server.on("connect", (_, socket) => {
    socket.end("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  return {
    server,
    connections,
    upgrade: sockets ? upgradeBy(upgradeWebSocket as never) : () => {
      throw new PackageNotFoundError(WS.name, WS.range);
    },
  };
}
