import type { Hono } from "hono";
import { loadRuntime, type Runtime } from "../runtime/mod.ts";
import { type Planner, planner } from "../web/mod.ts";
import type { Served, Server } from "./server/server.ts";
import type { Listening } from "./types.ts";

/** Loads the modules that read files and listen: bundles for isolates contain none of them. */
export function loadFiles(): Promise<typeof import("./files.ts")> {
  return import("./files.ts");
}

export function loadServer(): Promise<typeof import("./server/server.ts")> {
  return import("./server/server.ts");
}

export class Listener {
  readonly planner: Planner = planner;
  #server?: Server;
  #listening?: Promise<Listening>;
  #closing?: Promise<void>;
  isReplaced = false;

  /** Notices a handler that replaces the one for unknown paths: the lane would not call it. */
  watch(hono: Hono): void {
    const { notFound } = hono;
    hono.notFound = (handler) => {
      this.isReplaced = true;
      return notFound(handler);
    };
  }

  listen(served: Served, runtime?: Runtime): Promise<Listening> {
    if (this.#closing ?? this.#server?.isClosing) return Promise.reject(closed());
    return this.#listening ??= this.#listen(served, runtime).catch((error) => {
      this.#listening = undefined; // The address may be free the next time.
      throw error;
    });
  }

  close(context: Served["context"]): Promise<void> {
    return this.#closing ??= this.#server ? this.#server.close() : context.close();
  }

  async #listen(served: Served, given?: Runtime): Promise<Listening> {
    const [runtime, { Server }] = await Promise.all([given ?? loadRuntime(), loadServer()]);
    if (this.#closing) throw closed();
    this.#server = new Server(served);
    return await this.#server.start(runtime);
  }
}

function closed(): Error {
  return new Error("Cannot listen: the application was closed");
}
