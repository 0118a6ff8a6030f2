import type { ServerResponse } from "node:http";
import { recipeOf } from "../../shared/responses.ts";
import type { FetchHandler } from "../../types.ts";
import type { HonoListener } from "../hono_listener.ts";
import { NodeRequest } from "./request.ts";
import { writeRecipe } from "./response.ts";

/** Writes texts itself. Where code needs a `Request`, or answers with something else, `@hono/node-server` takes over. */
export class NodeExchange {
  readonly request: NodeRequest;
  /** Gives the response to `@hono/node-server` where that has made the `Request`. */
  #respond?: (response: Response | Promise<Response>) => void;

  constructor(origin: string, readonly outgoing: ServerResponse, readonly listener: HonoListener) {
    listener.prepare();
    this.request = new NodeRequest(origin, outgoing.req, outgoing, () => this.#open());
  }

  answer(by: FetchHandler): void {
    const { request, outgoing } = this;
    try {
      const response = by(request as unknown as Request, { incoming: outgoing.req, outgoing });
      if (response instanceof Promise) {
        response.then((awaited) => this.send(awaited), (error) => this.#fail(error));
      } else this.send(response);
    } catch (error) {
      this.#fail(error);
    }
  }

  send(response: Response): void {
    const recipe = this.request.isReceived ? recipeOf(response) : undefined;
    try {
      if (recipe === undefined) this.#handOver(() => response);
      else writeRecipe(this.outgoing, recipe, response);
    } catch (error) {
      this.#fail(error);
    }
  }

  #open(): Request {
    let made: Request | undefined;
    this.listener.answer((request) => {
      made = request;
      return new Promise((resolve) => this.#respond = resolve);
    }, this.outgoing);
    if (made === undefined) throw new TypeError(`Cannot create a Request for ${this.request.url}`);
    return made;
  }

  #handOver(by: () => Response | Promise<Response>): void {
    if (this.#respond !== undefined) this.#respond(by());
    else this.listener.answer(by, this.outgoing);
  }

  #fail(error: unknown): void {
    this.#handOver(() => Promise.reject(error));
  }
}
