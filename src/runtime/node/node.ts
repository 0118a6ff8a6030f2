import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { builtin } from "../shared/builtin.ts";
import { loadNodeServer, loadWebSocketServer } from "./server.ts";
import { answerDetached, handshakesBy } from "./upgrade.ts";
import { PackageNotFoundError } from "../errors.ts";
import { type Refuse, servingBy } from "../shared/listen.ts";
import { nodeProcess } from "./process.ts";
import { nodeLane } from "./direct/lane.ts";
import type { Lane } from "../shared/lane.ts";
import { lightRecipes } from "./direct/response.ts";
import { directOrigins, NodeRequest, standForRequests } from "./direct/request.ts";
import { findRecipes, type Recipe, recipeOf, streamOf } from "../shared/responses.ts";
import { upgradeBy } from "../shared/hono_web_socket.ts";
import { WS } from "../shared/web_socket.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "../types.ts";

export function nodeRuntime(): Runtime {
  return {
    ...nodeProcess(),
    name: "node",
    async serve(handler, options) {
      const packages = await Promise.all([loadNodeServer(), loadWebSocketServer()]);
      return await servingBy((...given) => listen(packages, ...given))(handler, options);
    },
  };
}

type NodeServer = Awaited<ReturnType<typeof loadNodeServer>>;

async function listen(
  [node, sockets]: readonly [NodeServer, Awaited<ReturnType<typeof loadWebSocketServer>>],
  handler: FetchHandler,
  options: ServeOptions,
  refuse: Refuse,
): Promise<HttpServer> {
  const { createServer } = builtin<typeof import("node:http")>("node:http");
  const answer = answererOf(node, handler, refuse, options.lane);
  const settings = serverOptions(options, sockets !== undefined);
  const server = createServer(settings, (_, outgoing) => answer(outgoing));
  const connections = connectionsOf(server);
  // Without a listener Node closes the connection without an answer.
  server.on("connect", (incoming, _, head) => {
    // Its target is an address, from which no URL can be built.
    incoming.url = "/";
    answerDetached(incoming, head, pendingAnswers(incoming.socket), (outgoing) => answer(outgoing));
  });
  // Without a listener Node answers handshakes as plain requests.
  if (sockets) {
    let offer: ReturnType<typeof handshakesBy> | undefined;
    server.on("upgrade", (incoming, _, head) => {
      answerDetached(incoming, head, pendingAnswers(incoming.socket), (outgoing, release) => {
        if (!isWebSocket(incoming)) return answer(outgoing);
        offer ??= handshakesBy(node(), sockets());
        const { env, isTaken, accept } = offer(incoming);
        answer(outgoing, async (request) => {
          const response = await handler(request, Object.assign(env, { outgoing }));
          if (!isTaken() || !response.ok || response.body !== null) return response;
          release();
          accept(response);
          throw SENT;
        });
      });
    });
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port, host: options.hostname }, resolve);
  });
  return {
    port: (server.address() as { readonly port: number }).port,
    shutdown: ({ drained }) => shutdown(server, connections, drained),
    // `closeAllConnections()` leaves out connections that asked for an upgrade.
    cut() {
      for (const connection of connections) connection.destroy();
    },
    upgrade(...request) {
      if (!sockets) throw new PackageNotFoundError(WS.name, WS.range);
      return upgradeBy(node().upgradeWebSocket as never)(...request);
    },
  };
}

async function shutdown(
  server: Server,
  connections: ReadonlySet<Connection>,
  drained: Promise<unknown>,
): Promise<void> {
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

/**
 * Answers what it can without a `Request`, and without reading the response. From where on code needs one, or where there
 * is a response of another kind, `@hono/node-server` takes over.
 *
 * @returns takes a handler of its own for a request that is not for the lane
 */
function answererOf(
  node: NodeServer,
  handler: FetchHandler,
  refuse: Refuse,
  lane?: Lane,
): (outgoing: ServerResponse, by?: FetchHandler) => void {
  let made: TakeOver | undefined;
  const beyond = () => made ??= takingOver(node, refuse);
  const inTurn = turns();
  const originOf = directOrigins();
  const take = lane && nodeLane(lane, (outgoing, isRead) => {
    const origin = originOf(outgoing.req) ?? `http://${outgoing.req.headers.host}`;
    const { request, send } = exchangeOf(beyond(), origin, outgoing);
    if (isRead) request.markRead();
    return { request: request as unknown as Request, send };
  });
  return (outgoing, by) => {
    const { req: incoming } = outgoing;
    note(incoming, outgoing);
    const call = by ? undefined : take?.(outgoing);
    if (call !== undefined) {
      // Nothing is left that could answer: what fails here has no failure response either.
      const cut = (error: unknown) => {
        refuse(500, error);
        outgoing.destroy();
      };
      return inTurn(call.readsBody, () => settle(() => call.answer(), () => {}, cut));
    }
    const respond = by ?? handler;
    const origin = originOf(incoming);
    if (origin === undefined) return beyond()(respond, outgoing);
    const { request, send, fail } = exchangeOf(beyond(), origin, outgoing);
    inTurn(request.hasBody, () => {
      settle(() => respond(request as unknown as Request, { incoming, outgoing }), send, fail);
    });
  };
}

function settle<T>(
  work: () => T | Promise<T>,
  done: (result: T) => void,
  failed: (error: unknown) => void,
): void {
  try {
    const result = work();
    if (result instanceof Promise) result.then(done, failed);
    else done(result);
  } catch (error) {
    failed(error);
  }
}

function exchangeOf(takeOver: TakeOver, origin: string, outgoing: ServerResponse) {
  standForRequests();
  let settle: ((response: Response | Promise<Response>) => void) | undefined;
  const request = new NodeRequest(origin, outgoing.req, outgoing, () => {
    let made: Request | undefined;
    takeOver((request) => {
      made = request;
      return new Promise((resolve) => settle = resolve);
    }, outgoing);
    if (made === undefined) throw new TypeError(`Cannot create a Request for ${request.url}`);
    return made;
  });
  const send = (response: Response) => {
    const recipe = request.isReceived ? recipeOf(response) : undefined;
    try {
      if (recipe !== undefined) write(outgoing, recipe, response);
      if (settle !== undefined) settle(recipe === undefined ? response : Promise.reject(SENT));
      else if (recipe === undefined) takeOver(() => response, outgoing);
    } catch (error) {
      fail(error);
    }
  };
  const fail = (error: unknown) => {
    const failed = Promise.reject(error);
    // No code may ask for it.
    failed.catch(() => {});
    if (settle !== undefined) settle(failed);
    else takeOver(() => failed, outgoing);
  };
  return { request, send, fail };
}

/** By the next tick most bodies have arrived, and nothing has to wait for them. Later requests are answered in turn. */
function turns(): (hasBody: boolean, answer: () => void) => void {
  let waiting = 0;
  return (hasBody, answer) => {
    if (!hasBody && waiting === 0) return answer();
    waiting++;
    process.nextTick(() => {
      waiting--;
      answer();
    });
  };
}

/** Lets `@hono/node-server` make a `Request` at once, and send the answer that `by` gives to it. */
type TakeOver = (by: FetchHandler, outgoing: ServerResponse & { [BY]?: FetchHandler }) => void;

const BY: unique symbol = Symbol("by");

/** Made when a request needs it: `@hono/node-server` and the `Request` of Node take 20 ms to load. */
function takingOver(node: NodeServer, refuse: Refuse): TakeOver {
  const { getRequestListener, RequestError } = node();
  const listener = getRequestListener((request, env) => {
    const { outgoing } = env as { readonly outgoing: Parameters<TakeOver>[1] };
    const send = (response: Response) => {
      const body = streamOf(response);
      return body === undefined ? response : sendStream(response, body, outgoing);
    };
    const response = outgoing[BY]!(request, env);
    return response instanceof Promise ? response.then(send) : send(response);
  }, {
    // For HTTP/1.0, which may leave the host out.
    hostname: "localhost",
    errorHandler: (error) => {
      if (error === SENT) return;
      return refuse(error instanceof RequestError ? 400 : 500, error);
    },
  });
  // It has put its own classes in the place of those of Node.
  findRecipes(lightRecipes());
  standForRequests();
  return (by, outgoing) => {
    outgoing[BY] = by;
    // What it throws here would end the process.
    listener(outgoing.req, outgoing).catch((error) => {
      if (outgoing.headersSent) return outgoing.destroy();
      const { status, headers } = refuse(500, error);
      outgoing.writeHead(status, Object.fromEntries(headers)).end();
    });
  };
}

function write(
  outgoing: ServerResponse,
  { status, body, fields }: Recipe,
  { headers }: Response,
): void {
  if (fields !== undefined) {
    outgoing.writeHead(status, { ...fields, "Content-Length": Buffer.byteLength(body) });
    return void outgoing.end(body);
  }
  // Before bytes, a head is sent as it is; together with a text it would become UTF-8.
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, [...[...headers].flat(), "Content-Length", `${bytes.length}`]);
  outgoing.end(bytes);
}

/** Notes the connection of a request, and rewrites a target of which no `Request` can be made. */
function note(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const socket: Connection = incoming.socket;
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
  const connections = new Set<Connection>();
  server.on("connection", (connection: Connection) => {
    connections.add(connection);
    connection.once("close", () => {
      connections.delete(connection);
      // Node 22 never closes these, and Node 24 does not after an upgrade or `CONNECT`.
      for (const outgoing of connection[PENDING] ?? []) {
        outgoing.destroy();
        process.nextTick(() => outgoing.closed || outgoing.emit("close"));
      }
    });
  });
  return connections;
}
