import type { Kept } from "../types.ts";

/** After so many attempts in a row, a server counts as unreachable. */
const ATTEMPTS = 3;

/** Connections to one server, which tenants use one after another. */
export class KeptConnections {
  readonly #idle: Kept[] = [];
  #failures = 0;
  #isOver = false;

  get isUnreachable(): boolean {
    return this.#failures >= ATTEMPTS;
  }

  readonly keep = async <C extends Kept>(connect: () => Promise<C>): Promise<C> => {
    let connection = this.#idle.pop() as C | undefined;
    while (connection?.isLost()) connection = this.#idle.pop() as C | undefined;
    const own = connection ?? await this.#connect(connect);
    return { ...own, close: () => this.#giveBack(own) };
  };

  async #connect<C>(connect: () => Promise<C>): Promise<C> {
    try {
      const connection = await connect();
      this.#failures = 0;
      return connection;
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }

  async #giveBack(connection: Kept): Promise<void> {
    try {
      if (!this.#isOver && !connection.isLost()) await connection.renew();
      if (!this.#isOver && !connection.isLost()) return void this.#idle.push(connection);
    } catch {
      // What cannot be made as new is not used again.
    }
    await connection.close();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }
}
