import type { Context } from "hono";
import {
  HttpError,
  type HttpRequest,
  isHandshake,
  isOwnOrigin,
  originalOf,
  type Serving,
  UPGRADE,
} from "../../http/mod.ts";
import { globalUpgrade, type SocketHandle, type SocketListener } from "../../runtime/web.ts";
import { elementsOf, TOKEN, unformatted } from "../../text/mod.ts";

/** Listeners of a WebSocket. An error that one throws is logged and closes the socket with 1011. */
export interface WebSocketEvents {
  /** The socket can be used. */
  open?(socket: WebSocketConnection): unknown;
  /** A message has come: text, or bytes. */
  message?(data: string | Uint8Array<ArrayBuffer>, socket: WebSocketConnection): unknown;
  /** The socket is closed, by whichever side; called once, with the code of RFC 6455, 7.4. */
  close?(
    socket: WebSocketConnection,
    event: { readonly code: number; readonly reason: string },
  ): unknown;
}

/** The server's end of a WebSocket. */
export interface WebSocketConnection {
  /** Whether it is open still. */
  readonly isOpen: boolean;
  /** The subprotocol: the first that the client asked for, or an empty text. */
  readonly protocol: string;
  /** Sends a message; does nothing when the socket is closed. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /**
   * Closes the socket.
   *
   * @param code one that servers may send (RFC 6455, 7.4): 1000 to 1003, 1007 to 1009, 1011 to 1013, 3000 to 4999
   * @default 1000
   * @param reason at most 123 bytes in UTF-8
   * @throws {RangeError} for another code or a longer reason
   */
  close(code?: number, reason?: string): void;
}

/** How {@linkcode webSocket} treats a request. */
export interface WebSocketOptions {
  /**
   * Origins whose pages may open the socket, such as `https://app.example`, or `"*"` for all. Browsers let every page
   * open one and send the cookies of its user along. A request without `Origin` comes from no page.
   *
   * @default that of the host itself
   */
  readonly origins?: readonly string[] | "*";
}

/** A handler returns it to open a WebSocket; made by {@linkcode webSocket}. */
export interface WebSocketAnswer {
  /** Says that it is one. */
  readonly kind: "websocket";
}

/**
 * Answers a GET by a WebSocket (RFC 6455), on Deno, edge isolates with `WebSocketPair`, and under `listen()` on Bun and
 * Node; Node wants `npm install ws`. When the server ends it is closed with 1001, before beans are.
 *
 * ```ts ignore
 * return webSocket(request, { message: (data, socket) => socket.send(data) });
 * ```
 *
 * @throws {HttpError} 426 when the request asks for no WebSocket, or for one of another version than 13; 400 when it is
 * malformed; 403 when it comes from a page of another origin
 */
export function webSocket(
  request: HttpRequest,
  events: WebSocketEvents,
  options: WebSocketOptions = {},
): WebSocketAnswer {
  checkHandshake(request);
  if (!isAllowed(request, options.origins)) {
    throw new HttpError(403, "The origin may not open this WebSocket");
  }
  return new UpgradeAnswer(request, events);
}

/** RFC 6455, 4.2.1 and 4.4: what the runtimes themselves say to it differs, down to a failure of the server. */
function checkHandshake(request: HttpRequest): void {
  if (!isHandshake(request)) {
    throw new HttpError(426, "Expected an upgrade to a WebSocket");
  }
  const list = request.header("Sec-WebSocket-Protocol");
  const protocols = new Set(elementsOf(list).filter((element) => TOKEN.test(element)));
  if (list !== undefined && protocols.size < list.split(",").length) {
    // One of them may be a credential, which no message repeats.
    throw new HttpError(400, "Expected 'Sec-WebSocket-Protocol' to list distinct tokens");
  }
  // Isolates keep the rest of it to themselves.
  if ("WebSocketPair" in globalThis) return;
  if (!elementsOf(request.header("Connection")?.toLowerCase()).includes("upgrade")) {
    throw new HttpError(
      426,
      "Expected an upgrade to a WebSocket: the header 'Connection' must contain 'upgrade'",
    );
  }
  if (request.method !== "GET") {
    throw new HttpError(400, `Expected GET to open a WebSocket, found '${request.method}'`);
  }
  if (request.header("Sec-WebSocket-Version") !== "13") {
    throw new HttpError(426, "Expected WebSocket version 13", {
      headers: { "Sec-WebSocket-Version": "13" },
    });
  }
  if (!/^[A-Za-z0-9+/]{22}==$/.test(request.header("Sec-WebSocket-Key") ?? "")) {
    throw new HttpError(400, "Expected a Sec-WebSocket-Key of 16 bytes in base64");
  }
}

function isAllowed(request: HttpRequest, origins: WebSocketOptions["origins"]): boolean {
  const origin = request.header("Origin");
  if (origin === undefined || origins === "*") return true;
  return origins?.includes(origin) ?? isOwnOrigin(request, origin);
}

class UpgradeAnswer implements WebSocketAnswer {
  readonly kind = "websocket";

  constructor(readonly request: HttpRequest, readonly events: WebSocketEvents) {}

  async [UPGRADE](context: Context, serving?: Serving): Promise<Response> {
    const request = originalOf(context.req.raw);
    const upgrade = serving?.sockets?.upgrade ?? globalUpgrade();
    if (upgrade === undefined) {
      throw new Error(
        "Cannot open a WebSocket here: on this runtime only the server that listen() starts can",
      );
    }
    const { method, path } = this.request;
    const connection = new Connection(this.events, (error) => {
      const message = `Cannot handle what came by the WebSocket of ${method} ${path}`;
      if (serving?.log) serving.log(message, error);
      else console.error(unformatted(message), error);
    });
    return await upgrade(
      context,
      request,
      serving?.sockets?.keep(request, connection) ?? connection,
    );
  }
}

class Connection implements WebSocketConnection, SocketListener {
  #handle?: SocketHandle;

  constructor(readonly events: WebSocketEvents, readonly failed: (error: unknown) => void) {}

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  get protocol(): string {
    return this.#handle?.protocol ?? "";
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#handle?.send(data);
  }

  open(handle: SocketHandle): void {
    this.#handle = handle;
    this.#run(() => this.events.open?.(this));
  }

  message(data: string | ArrayBuffer): void {
    const piece = typeof data === "string" ? data : new Uint8Array(data);
    this.#run(() => this.events.message?.(piece, this));
  }

  close(code = 1000, reason = ""): void {
    const prefix = "Cannot close the WebSocket: expected a";
    if (typeof code !== "number" || !/^(?:100[0-37-9]|101[1-3]|[34]\d{3})$/.test(`${code}`)) {
      throw new RangeError(
        `${prefix} code of RFC 6455, 7.4, that servers may send ` +
          `(1000 to 1003, 1007 to 1009, 1011 to 1013, 3000 to 4999), found ${
            typeof code === "string" ? "the text " : ""
          }'${code}'`,
      );
    }
    const { length } = new TextEncoder().encode(reason);
    if (length > 123) {
      throw new RangeError(`${prefix} reason of at most 123 bytes in UTF-8, found ${length}`);
    }
    this.#handle?.close(code, reason);
  }

  closed(code: number, reason: string): void {
    this.#handle = undefined;
    this.#run(() => this.events.close?.(this, { code, reason }));
  }

  async #run(call: () => unknown): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.failed(error);
      this.#handle?.close(1011, "");
    }
  }
}
