import { rememberUpgrade } from "./upgraded.ts";

/** The server's end of a WebSocket (RFC 6455), as adapters give it. */
export interface SocketHandle {
  readonly protocol: string;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code: number, reason: string): void;
  /** Cuts the connection, where the runtime can. */
  terminate(): void;
}

/** Listeners of a WebSocket; none may throw. */
export interface SocketListener {
  open(handle: SocketHandle): void;
  message(data: string | ArrayBuffer): void;
  /** It is closed; not called a second time. */
  closed(code: number, reason: string): void;
}

export type UpgradeSocket = (
  context: unknown,
  request: Request,
  listener: SocketListener,
) => Response | Promise<Response>;

export const WS = { name: "ws", range: "^8.18.0" } as const;

/**
 * How the runtime makes a WebSocket of a request by itself: Deno, and edge isolates that have `WebSocketPair`.
 * `undefined` where it takes the server that listens.
 */
export function globalUpgrade(): UpgradeSocket | undefined {
  const { Deno, WebSocketPair } = globalThis as Globals;
  if (Deno) {
    return (_, request, listener) => {
      const protocol = firstProtocol(request);
      const options = protocol === undefined ? {} : { protocol };
      // Deno drops unread fields, and middleware may ask for them afterwards.
      request.headers.forEach(() => {});
      const { socket, response } = Deno.upgradeWebSocket(request, options);
      rememberUpgrade(request, response, () => {
        socket.addEventListener("open", () => socket.close(INTERNAL_ERROR));
      });
      listen(socket, listener);
      return response;
    };
  }
  return WebSocketPair && ((_, request, listener) => {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    listen(server, listener, true);
    const protocol = firstProtocol(request);
    return new Response(null, {
      status: 101,
      webSocket: client,
      ...(protocol !== undefined && { headers: { "Sec-WebSocket-Protocol": protocol } }),
    } as ResponseInit);
  });
}

/** RFC 6455, 7.4.1; browsers may not close with it, servers may. */
const INTERNAL_ERROR = 1011;

/** The subprotocol that the client likes best: browsers give up where none is chosen. */
function firstProtocol({ headers }: Request): string | undefined {
  return headers.get("sec-websocket-protocol")?.split(",")[0]?.trim() || undefined;
}

function listen(socket: WebSocket, listener: SocketListener, isOpen = false): void {
  socket.binaryType = "arraybuffer";
  const handle: SocketHandle = {
    get protocol() {
      return socket.protocol ?? "";
    },
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => {},
  };
  socket.addEventListener("message", ({ data }) => listener.message(data));
  // Deno says 0 where the connection broke off (RFC 6455, 7.1.5).
  socket.addEventListener("close", ({ code, reason }) => listener.closed(code || 1006, reason));
  socket.addEventListener("error", () => {});
  if (isOpen) listener.open(handle);
  else socket.addEventListener("open", () => listener.open(handle));
}

interface Globals {
  readonly Deno?: {
    upgradeWebSocket(
      request: Request,
      options: { readonly protocol?: string },
    ): { readonly socket: WebSocket; readonly response: Response };
  };
  readonly WebSocketPair?: new () => {
    readonly 0: WebSocket;
    readonly 1: WebSocket & { accept(): void };
  };
}
