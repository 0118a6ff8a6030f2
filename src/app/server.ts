import type { ApplicationContext } from "../container/mod.ts";
import type { HttpServer, Runtime } from "../runtime/mod.ts";
import type { StreamTracker } from "../web/mod.ts";
import { InFlight } from "./in_flight.ts";
import type { ServerSettings } from "./settings.ts";
import type { Listening } from "./types.ts";

/** What a server needs of its application. */
export interface Served {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly context: ApplicationContext;
  readonly streams: StreamTracker;
  readonly settings: ServerSettings;
}

/** The listening side of an application, from the first request to the last; edge isolates have none. */
export class Server {
  readonly #inFlight = new InFlight();
  #http?: HttpServer;
  #closing?: Promise<void>;
  #stopSignals?: () => void;

  constructor(readonly served: Served) {}

  /**
   * @throws {Error} when it listens already
   * @throws {ListenError} when the address cannot be listened on
   */
  async listen(runtime: Runtime): Promise<Listening> {
    if (this.#http) throw new Error("Cannot listen: the application listens already");
    const { fetch, streams, settings: { port, address } } = this.served;
    const inFlight = this.#inFlight;
    streams.track = (response) => inFlight.track(response);
    this.#http = await runtime.serve(
      (request) => this.#closing ? unavailable() : inFlight.run(() => fetch(request)),
      { port, hostname: address },
    );
    this.#stopSignals = runtime.onTermination(() => this.#terminate(runtime));
    return { url: urlOf(address, this.#http.port), port: this.#http.port, address };
  }

  /** Stops accepting, finishes what is in flight, then closes the beans; the second call joins the first. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const { context, settings: { shutdownSeconds } } = this.served;
    try {
      const stopped = this.#http?.shutdown(this.#inFlight.idle());
      if (stopped && !await within(stopped, shutdownSeconds * 1000)) {
        console.error(
          `Gave up waiting after ${shutdownSeconds} s for ${this.#inFlight.count} requests in flight`,
        );
      }
    } finally {
      this.#stopSignals?.();
      await context.close();
    }
  }

  /** A second signal does not wait any longer. */
  #terminate(runtime: Runtime): void {
    if (this.#closing) runtime.exit(1);
    this.close().then(() => runtime.exit(0), (error) => {
      console.error("Cannot shut down cleanly:", error);
      runtime.exit(1);
    });
  }
}

/** Whether `work` ends within the time. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** For connections that were open before: nothing new is begun any more. */
function unavailable(): Response {
  return new Response("Service Unavailable", {
    status: 503,
    headers: { "Connection": "close", "Content-Type": "text/plain;charset=UTF-8" },
  });
}

/** An address that stands for all of them is reached by `localhost`. */
function urlOf(address: string, port: number): string {
  if (address === "0.0.0.0" || address === "::") return `http://localhost:${port}`;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}
