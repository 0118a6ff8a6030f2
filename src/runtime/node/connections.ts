import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Connection extends Socket {
  [LAST]?: ServerResponse;
  [PENDING]?: Set<ServerResponse>;
}

const LAST: unique symbol = Symbol("last");
const PENDING: unique symbol = Symbol("pending");

export class Connections {
  readonly #open = new Set<Connection>();

  constructor(readonly server: Server) {
    server.on("connection", (connection: Connection) => {
      this.#open.add(connection);
      connection.once("close", () => {
        this.#open.delete(connection);
        closePending(connection);
      });
    });
  }

  async shutdown(drained: Promise<unknown>): Promise<void> {
    // Node would wait for connections that have not asked anything yet, or not all of it, and take one for idle whose
    // answer the client has not read. Checked only now: listening for the end of every response costs each of them.
    this.server.closeIdleConnections = () => {
      for (const connection of this.#open) if (!isBusy(connection)) connection.destroy();
    };
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const closing = setInterval(() => this.server.closeIdleConnections(), 5);
    try {
      await drained;
      await closed;
    } finally {
      clearInterval(closing);
    }
  }

  /** `closeAllConnections()` leaves out connections that asked for an upgrade. */
  cut(): void {
    for (const connection of this.#open) connection.destroy();
  }
}

/** To be called with each answer that a connection has to send, in their order. */
export function noteAnswer(outgoing: ServerResponse): void {
  const connection: Connection = outgoing.req.socket;
  // Node gives the connection to a pipelined request only after the answer before it.
  if (outgoing.socket === null) queue(connection, outgoing);
  connection[LAST] = outgoing;
}

function queue(connection: Connection, outgoing: ServerResponse): void {
  const pending = connection[PENDING] ??= new Set();
  for (const one of pending.size > 0 ? [outgoing] : [...pendingAnswers(connection), outgoing]) {
    pending.add(one);
    one.once("close", () => pending.delete(one));
  }
}

export function pendingAnswers({ [LAST]: last, [PENDING]: all }: Connection): ServerResponse[] {
  if (all !== undefined && all.size > 0) return [...all];
  return last === undefined || last.closed ? [] : [last];
}

/** Node 22 never closes these, and Node 24 does not after an upgrade or `CONNECT`. */
function closePending({ [PENDING]: pending }: Connection): void {
  for (const outgoing of pending ?? []) {
    outgoing.destroy();
    process.nextTick(() => outgoing.closed || outgoing.emit("close"));
  }
}

function isBusy({ [LAST]: last }: Connection): boolean {
  return last !== undefined && !(last.writableFinished && last.req.complete);
}
