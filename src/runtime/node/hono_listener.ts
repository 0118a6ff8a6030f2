import type { ServerResponse } from "node:http";
import { followedBy } from "../../text/mod.ts";
import { builtin } from "../shared/builtin.ts";
import type { Refuse } from "../shared/listen.ts";
import { findRecipes, streamOf } from "../shared/responses.ts";
import type { FetchHandler } from "../types.ts";
import { standForRequests } from "./direct/request.ts";
import { lightRecipes } from "./direct/response.ts";
import type { NodeServer } from "./server.ts";

type RequestListener = ReturnType<ReturnType<NodeServer>["getRequestListener"]>;

type Outgoing = ServerResponse & { [BY]?: FetchHandler };

const BY: unique symbol = Symbol("by");

/** `@hono/node-server`, which makes a `Request` at once, and sends responses of all kinds. */
export class HonoListener {
  #listener?: RequestListener;

  constructor(readonly node: NodeServer, readonly refuse: Refuse) {}

  /** To be called before code sees a request. Not earlier: the package and the `Request` of Node take 20 ms to load. */
  prepare(): RequestListener {
    if (this.#listener === undefined) {
      const { getRequestListener, RequestError } = this.node();
      this.#listener = getRequestListener(answerTo, {
        // For HTTP/1.0, which may leave the host out.
        hostname: "localhost",
        errorHandler: (error) => this.refuse(error instanceof RequestError ? 400 : 500, error),
      });
      // It has put its own classes in the place of those of Node.
      findRecipes(lightRecipes());
    }
    standForRequests();
    return this.#listener;
  }

  /** Sends the response that `by` gives to the `Request`. */
  answer(by: FetchHandler, outgoing: Outgoing): void {
    outgoing[BY] = by;
    // A rejection that is not caught here would end the process.
    this.prepare()(outgoing.req, outgoing).catch((error) => {
      if (outgoing.headersSent) return outgoing.destroy();
      const { status, headers } = this.refuse(500, error);
      outgoing.writeHead(status, Object.fromEntries(headers)).end();
    });
  }
}

function answerTo(request: Request, env: unknown): Response | Promise<Response> {
  const { outgoing } = env as { readonly outgoing: Outgoing };
  return followedBy(outgoing[BY]!(request, env), (response) => {
    const body = streamOf(response);
    return body === undefined ? response : sendStream(response, body, outgoing);
  });
}

/** For an answer that was written already: `@hono/node-server` waits for it, and both are collected with the request. */
export function noResponse(): Promise<never> {
  return new Promise(() => {});
}

/** `@hono/node-server` would end a body that fails with its message. */
async function sendStream(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<never> {
  const { pipeline } = builtin<typeof import("node:stream/promises")>("node:stream/promises");
  // A client would read a body beyond its `content-length` as the next response.
  outgoing.strictContentLength = true;
  outgoing.setHeaders(headers).writeHead(status);
  outgoing.flushHeaders();
  // A pipeline that fails has closed both ends already.
  await pipeline(body as never, outgoing).catch(() => {});
  return await noResponse();
}
