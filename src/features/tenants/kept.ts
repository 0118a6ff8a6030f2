import type { Kept } from "../../migrations/sql/types.ts";

/** Connections to one server, which tenants use one after another. */
export class KeptConnections {
  /** Attempts to connect that failed, in a row. */
  failures = 0;
  readonly #idle: Kept[] = [];

  readonly keep = async <C extends Kept>(connect: () => Promise<C>): Promise<C> => {
    const idle = this.#idle.pop() as C | undefined;
    if (idle?.isLost()) return await this.keep(connect);
    const own = idle ?? await connect().catch((error) => {
      this.failures++;
      throw error;
    });
    this.failures = 0;
    const close = () => own.renew().then(() => void this.#idle.push(own), () => own.close());
    return withClose(own, close);
  };

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }
}

/** The connection itself, which may be of a class and change, with another `close()` for those who use it. */
function withClose<C extends Kept>(own: C, close: () => Promise<void>): C {
  return new Proxy(own, {
    get(_, name) {
      if (name === "close") return close;
      const value = Reflect.get(own, name, own);
      return typeof value === "function" ? value.bind(own) : value;
    },
  });
}
