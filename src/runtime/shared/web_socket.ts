import { elementsOf } from "../../text/mod.ts";
import { rememberUpgrade } from "./upgraded.ts";

/** The server's end of a WebSocket (RFC 6455), as adapters give it. */
export interface SocketHandle {
  readonly protocol: string;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

/** Listeners of a WebSocket; none may throw. */
export interface SocketListener {
  open(handle: SocketHandle): void;
  message(data: string | ArrayBuffer): void;
  closed(code: number, reason: string): void;
}

export type UpgradeSocket = (
  context: unknown,
  request: Request,
  listener: SocketListener,
) => Response | Promise<Response>;

export const WS = { name: "ws", range: "^8.18.0" } as const;

/** How Deno, or an isolate with `WebSocketPair`, makes a WebSocket; `undefined` where the server does. */
export function globalUpgrade(): UpgradeSocket | undefined {
  if ("Deno" in globalThis) {
    return (_, request, listener) => {
      // Deno drops unread fields, and middleware may ask for them afterwards.
      request.headers.forEach(() => {});
      const protocol = firstProtocol(request);
      const { socket, response } = Deno.upgradeWebSocket(request);
      // Deno itself refuses a protocol of a list without blanks.
      if (protocol !== undefined) response.headers.set(PROTOCOL, protocol);
      let isRefused = false;
      rememberUpgrade(request, response, () => isRefused = true);
      // Dispatched when the response is sent, after all middleware.
      socket.addEventListener("open", () => {
        if (isRefused) socket.close(INTERNAL_ERROR);
        else listen(socket, listener, protocol);
      });
      return response;
    };
  }
  const { WebSocketPair } = globalThis as SocketGlobals;
  return WebSocketPair && ((_, request, listener) => {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    const protocol = firstProtocol(request);
    listen(server, listener, protocol);
    // Older compatibility dates of workerd answer no Close frame (RFC 6455, 5.5.1).
    server.addEventListener("close", ({ code, reason }) => {
      try {
        server.close(code, reason);
      } catch {
        server.close(); // For a code that no frame has, such as 1005.
      }
    });
    return new Response(null, {
      status: 101,
      webSocket: client,
      ...(protocol !== undefined && { headers: { [PROTOCOL]: protocol } }),
    } as ResponseInit);
  });
}

/** RFC 6455, 7.4.1; browsers may not close with it, servers may. */
const INTERNAL_ERROR = 1011;

/** The subprotocol that the client likes best: browsers give up where none is chosen. */
function firstProtocol({ headers }: Request): string | undefined {
  return elementsOf(headers.get(PROTOCOL))[0];
}

const PROTOCOL = "Sec-WebSocket-Protocol";

function listen(socket: WebSocket, listener: SocketListener, protocol = ""): void {
  socket.binaryType = "arraybuffer";
  const handle: SocketHandle = {
    protocol,
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => {},
  };
  socket.addEventListener("message", ({ data }) => listener.message(data));
  // Deno says 0 where the connection broke off (RFC 6455, 7.1.5).
  socket.addEventListener("close", ({ code, reason }) => listener.closed(code || 1006, reason));
  socket.addEventListener("error", () => {});
  listener.open(handle);
}

interface SocketGlobals {
  readonly WebSocketPair?: new () => {
    readonly 0: WebSocket;
    readonly 1: WebSocket & { accept(): void };
  };
}
