import { builtin } from "../shared/builtin.ts";
import { PackageNotFoundError } from "../errors.ts";
import { type Refuse, servingBy } from "../shared/listen.ts";
import { upgradeBy } from "../shared/hono_web_socket.ts";
import { WS } from "../shared/web_socket.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "../types.ts";
import { Answerer } from "./answerer.ts";
import { Connections } from "./connections.ts";
import { nodeProcess } from "./process.ts";
import { loadNodeServer, loadWebSocketServer } from "./server.ts";
import { answerDetached, handshakeAnswer, handshakesBy, isHandshake } from "./upgrade.ts";

export function nodeRuntime(): Runtime {
  return {
    ...nodeProcess(),
    name: "node",
    async serve(handler, options) {
      const packages = await loadPackages();
      return await servingBy((...given) => listen(packages, ...given))(handler, options);
    },
  };
}

const loadPackages = () => Promise.all([loadNodeServer(), loadWebSocketServer()]);

async function listen(
  [node, sockets]: Awaited<ReturnType<typeof loadPackages>>,
  handler: FetchHandler,
  options: ServeOptions,
  refuse: Refuse,
): Promise<HttpServer> {
  const { createServer } = builtin<typeof import("node:http")>("node:http");
  const answerer = new Answerer(node, handler, refuse, options.lane);
  const settings = serverOptions(options, sockets !== undefined);
  const server = createServer(settings, (_, outgoing) => answerer.answer(outgoing));
  const connections = new Connections(server);
  // Without a listener Node closes the connection without an answer.
  server.on("connect", (incoming, _, head) => {
    // Its target is an address, from which no URL can be built.
    incoming.url = "/";
    answerDetached(incoming, head, (outgoing) => answerer.answer(outgoing));
  });
  // Without a listener Node answers handshakes as plain requests.
  if (sockets) {
    const accept = handshakeAnswer(() => handshakesBy(node(), sockets()), answerer);
    server.on("upgrade", (incoming, _, head) => answerDetached(incoming, head, accept));
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port, host: options.hostname }, resolve);
  });
  return {
    port: (server.address() as { readonly port: number }).port,
    shutdown: ({ drained }) => connections.shutdown(drained),
    cut: () => connections.cut(),
    upgrade(...request) {
      if (!sockets) throw new PackageNotFoundError(WS.name, WS.range);
      return upgradeBy(node().upgradeWebSocket as never)(...request);
    },
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
    ...(hasSockets && { shouldUpgradeCallback: isHandshake }),
  };
}
