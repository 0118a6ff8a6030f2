import type { ServerResponse } from "node:http";
import type { Lane, LaneCall } from "../shared/lane.ts";
import type { Refuse } from "../shared/listen.ts";
import type { FetchHandler } from "../types.ts";
import { noteAnswer } from "./connections.ts";
import { NodeExchange } from "./direct/exchange.ts";
import { nodeLane } from "./direct/lane.ts";
import { directOrigins, rewriteTarget } from "./direct/target.ts";
import { HonoListener } from "./hono_listener.ts";
import type { NodeServer } from "./server.ts";

/** Answers requests on the lane, else by an exchange without a `Request`, else by `@hono/node-server`. */
export class Answerer {
  readonly #listener: HonoListener;
  readonly #match?: (outgoing: ServerResponse) => LaneCall | undefined;
  readonly #originOf = directOrigins();
  #waiting = 0;

  constructor(
    node: NodeServer,
    readonly handler: FetchHandler,
    readonly refuse: Refuse,
    lane?: Lane,
  ) {
    this.#listener = new HonoListener(node, refuse);
    this.#match = lane && nodeLane(lane, this.#listener);
  }

  /** @param by a handler of its own, for a request that is not for the lane */
  answer(outgoing: ServerResponse, by?: FetchHandler): void {
    noteAnswer(outgoing);
    rewriteTarget(outgoing.req);
    const call = by ? undefined : this.#match?.(outgoing);
    if (call !== undefined) {
      return this.#inTurn(call.readsBody, () => this.#call(call, outgoing));
    }
    const handler = by ?? this.handler;
    const origin = this.#originOf(outgoing.req);
    if (origin === undefined) return this.#listener.answer(handler, outgoing);
    const exchange = new NodeExchange(origin, outgoing, this.#listener);
    this.#inTurn(exchange.request.hasBody, () => exchange.answer(handler));
  }

  #call(call: LaneCall, outgoing: ServerResponse): void {
    // Nothing is left that could answer: what fails here has no failure response either.
    const cut = (error: unknown) => {
      this.refuse(500, error);
      outgoing.destroy();
    };
    try {
      const reply = call.answer();
      if (reply instanceof Promise) reply.catch(cut);
    } catch (error) {
      cut(error);
    }
  }

  /** By the next tick most bodies have arrived, and nothing has to wait for them. Later requests are answered in turn. */
  #inTurn(hasBody: boolean, answer: () => void): void {
    if (!hasBody && this.#waiting === 0) return answer();
    this.#waiting++;
    process.nextTick(() => {
      this.#waiting--;
      answer();
    });
  }
}
