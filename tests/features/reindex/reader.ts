import type { Server } from "./server.ts";

/** A search that failed, or did not find what was always there. */
export interface FailedRead {
  readonly name: string;
  /** `performance.now()` */
  readonly at: number;
  readonly what: string;
}

/** Searches through names without end: documents that no writer changes must be found, each of them once. */
export class Reader {
  /** Searches that were answered. */
  searches = 0;
  readonly failed: FailedRead[] = [];
  /** Indices that the name of the application has stood for. */
  readonly served = new Set<string>();
  #isStopped = false;
  readonly #running: Promise<void>;

  /**
   * @param names through which all of them are found
   * @param stable the number of documents that no writer changes
   */
  constructor(
    private readonly server: Server,
    private readonly names: readonly string[],
    private readonly stable: number,
  ) {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Takes note of what the name of the application stands for. */
  async look(): Promise<void> {
    const said = await this.server.send("GET", `/${this.names[0]}/_alias`).catch(() => undefined);
    if (said?.status === 200) {
      for (const index of Object.keys(said.json)) {
        this.served.add(index);
      }
    }
  }

  async #run(): Promise<void> {
    for (let count = 0; !this.#isStopped; count++) {
      const name = this.names[count % this.names.length]!;
      const what = await this.#search(name).catch((error) => String(error));
      if (what === undefined) this.searches++;
      else this.failed.push({ name, at: performance.now(), what });
      if (count % 4 === 0) await this.look();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async #search(name: string): Promise<string | undefined> {
    const { status, json, text } = await this.server.send("POST", `/${name}/_search`, {
      size: 0,
      track_total_hits: true,
      query: { term: { stable: true } },
    });
    if (status !== 200) return `${status} ${text.slice(0, 300)}`;
    if (json._shards.failed > 0) return `failed shards: ${text.slice(0, 300)}`;
    const found = json.hits.total.value;
    if (found !== this.stable) return `${found} unchanged documents, not ${this.stable}`;
  }
}
