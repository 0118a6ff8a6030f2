import { clientLeft, GoingAway } from "../../http/mod.ts";
import { within } from "../../runtime/mod.ts";
import type { SocketHandle, SocketListener } from "../../runtime/web.ts";

export class OpenSockets {
  readonly #sockets = new Set<OpenSocket>();
  #isEnding = false;

  keep(listener: SocketListener, controller?: AbortController): SocketListener {
    const ended = Promise.withResolvers<void>();
    let handle: SocketHandle | undefined;
    let isEnding = false;
    const closed = (code: number, reason: string) => {
      if (!this.#sockets.delete(socket)) return;
      controller?.abort(clientLeft());
      // Runtimes differ in what they say of an end that is ours.
      if (isEnding) listener.closed(GOING_AWAY, REASON);
      else listener.closed(code, reason);
      ended.resolve();
    };
    const socket: OpenSocket = {
      ended: ended.promise,
      end() {
        isEnding = true;
        controller?.abort(new GoingAway());
        handle?.close(GOING_AWAY, REASON);
      },
      cut() {
        handle?.terminate();
        closed(GOING_AWAY, REASON);
      },
    };
    return {
      open: (opened) => {
        handle = opened;
        this.#sockets.add(socket);
        listener.open(opened);
        if (this.#isEnding) socket.end();
      },
      message: (data) => listener.message(data),
      closed,
    };
  }

  /** Also sockets that are opened later; cuts those whose clients do not agree within `milliseconds`. */
  async end(milliseconds: number): Promise<void> {
    this.#isEnding = true;
    if (this.#sockets.size === 0) return;
    for (const socket of this.#sockets) socket.end();
    const ended = Promise.all([...this.#sockets].map(({ ended }) => ended));
    await within(ended, milliseconds, undefined);
    for (const socket of this.#sockets) socket.cut();
  }
}

const REASON = "Server shutting down";
/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;

interface OpenSocket {
  readonly ended: Promise<void>;
  readonly end: () => void;
  readonly cut: () => void;
}
