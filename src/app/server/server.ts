import { callReady } from "../../container/mod.ts";
import {
  clientLeft,
  isAbort,
  isBodiless,
  isFixed,
  plainResponse,
  withHeader,
} from "../../http/mod.ts";
import { type HttpServer, type Runtime, within } from "../../runtime/mod.ts";
import { isUpgraded, type Lane } from "../../runtime/web.ts";
import { inScopeOf, laneOf } from "../../web/mod.ts";
import { withoutFrames } from "../errors.ts";
import { labelOf, type ResponseCheck } from "./response_check.ts";
import { InFlight } from "./in_flight.ts";
import { OpenSockets } from "./open_sockets.ts";
import { Readings } from "./readings.ts";
import { ConnectionCut } from "./sent_stream.ts";
import { type Assembled, type ListenSettings, listenSettings } from "../settings.ts";
import { endOnSignal } from "./termination.ts";
import type { Listening } from "../types.ts";

export { startUntilSignal } from "./termination.ts";

export interface Served extends Assembled {
  readonly dispatch: (request: Request, env: unknown) => Response | Promise<Response>;
  readonly check: ResponseCheck;
  readonly trust: (env: unknown) => void;
  readonly acceptsHost: (host: string) => boolean;
  readonly checkPaths: () => void;
}

export class Server {
  readonly #inFlight = new InFlight();
  readonly #sockets = new OpenSockets();
  readonly #settings: ListenSettings;
  readonly #readings: Readings;
  readonly #hearing = new WeakSet<AbortController>();
  /** Aborts the signals of WebSockets, whose requests are no longer in flight. */
  readonly #ofSockets = new WeakMap<Request, AbortController>();
  #http?: HttpServer;
  #runtime?: Runtime["name"];
  #closing?: Promise<void>;
  #stopSignals?: () => void;
  #cut = 0;

  constructor(readonly served: Served) {
    this.#settings = listenSettings(served.config);
    this.#readings = new Readings(this.#settings.requestSeconds);
    served.serving.signal = (request) => this.#signalOf(request);
    served.serving.brokeOff = (request) => this.#brokeOff(request);
    served.serving.hasLeft = (request, error) => this.#hasLeft(request, error);
    served.serving.untilCut = (reading) => this.#readings.untilCut(reading);
    served.serving.readInTime = (reading) => this.#readings.inTime(reading);
  }

  /** @throws {ListenError | Error} the latter when the application is closed in the meantime */
  async start(runtime: Runtime): Promise<Listening> {
    const { context, info, routes, started } = this.served;
    const listening = await this.#listen(runtime).catch((error) => {
      throw withoutFrames(error);
    });
    try {
      await callReady(context);
      if (this.#closing) throw new Error("Cannot listen: the application was closed");
    } catch (error) {
      await this.close().catch(() => {}); // The first error is the cause.
      throw error;
    }
    const milliseconds = Math.round(performance.now() - started);
    const { address, port } = listening;
    const host = address.includes(":") ? `[${address}]` : address;
    info(`Listening on http://${host}:${port} (${routes.length} routes, ${milliseconds} ms)`);
    return listening;
  }

  async #listen(runtime: Runtime): Promise<Listening> {
    const { port, address, idleSeconds, requestSeconds } = this.#settings;
    this.served.checkPaths();
    this.#runtime = runtime.name;
    const http = await runtime.serve((request, env) => this.#answer(request, env), {
      port,
      hostname: address,
      idleSeconds,
      requestSeconds,
      refused: (status, error) => this.#refused(status, error),
      lane: this.#lane(),
    });
    this.#http = http;
    this.served.serving.sockets = {
      upgrade: http.upgrade,
      keep: (request, listener) => {
        const controller = this.#inFlight.controllerOf(request);
        if (controller !== undefined) this.#ofSockets.set(request, controller);
        return this.#sockets.keep(listener, controller);
      },
    };
    if (this.#closing) {
      http.cut();
      throw new Error("Cannot listen: the application was closed");
    }
    this.#stopSignals = endOnSignal(runtime, () => this.#terminate());
    return { url: urlOf(address, http.port), port: http.port, address };
  }

  #lane(): Lane {
    const { hono, serving, check, trust, acceptsHost } = this.served;
    const inFlight = this.#inFlight;
    return laneOf(hono, {
      serving,
      acceptsHost,
      fields: check.fields,
      isOpen: () => this.#closing === undefined && !check.isExtended(),
      begin: (isUpload) => inFlight.beginOnLane(isUpload),
      end: (isUpload) => inFlight.endOnLane(isUpload),
      leaveLane: (request, env, isAnswered) => {
        if (!isAnswered) inFlight.enter(request);
        trust(env);
      },
      sent: (request, response) => this.#send(request, response),
    });
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  #answer(request: Request, env: unknown): Response | Promise<Response> {
    // For connections that were open before: nothing new is begun any more.
    if (this.#closing) return closing(plainResponse(503));
    this.#inFlight.begin(request);
    try {
      const response = this.served.dispatch(request, env);
      if (!(response instanceof Promise)) return this.#send(request, response);
      this.#inFlight.keep();
      return response.then(
        (response) => this.#send(request, response),
        (error) => this.#send(request, this.served.check.failed(request, error)),
      );
    } catch (error) {
      return this.#send(request, this.served.check.failed(request, error));
    }
  }

  #send(request: Request, response: Response): Response {
    const inFlight = this.#inFlight;
    inFlight.answered(request);
    let sent = this.served.check.checked(request, response);
    if (isFixed(sent)) inFlight.leave(request);
    else sent = this.#track(request, sent);
    if (sent.status === 101) return sent;
    // The rest of the request may still come.
    if (this.#closing === undefined) return sent.status === 408 ? closing(sent) : sent;
    inFlight.endEvents(this.#patience);
    return closing(sent);
  }

  #track(request: Request, response: Response): Response {
    if (this.#runtime !== "node" && request.method === "HEAD" && lacksLength(response)) {
      this.#inFlight.leave(request);
      // Deno and Bun would send `Content-Length: 0`, which is not the length of GET (RFC 9110, 8.6).
      const body = new ReadableStream({ pull: (controller) => controller.close() }, {
        highWaterMark: 0,
      });
      return new Response(body, response);
    }
    return this.#inFlight.track(request, response, (error) => {
      const level = this.#hasLeft(request, error) ? "DEBUG" : "ERROR";
      inScopeOf(request, () => {
        this.served.log(`Cannot send all of the answer to ${labelOf(request)}`, error, level);
      });
    });
  }

  #refused(status: number, error: unknown): Response {
    if (status >= 500 && !(error instanceof ConnectionCut)) {
      this.served.log("Cannot send an answer", error, "ERROR");
    }
    // No client will read its result.
    return closing(plainResponse(status));
  }

  #hasLeft(request: Request, error: unknown): boolean {
    if (isUpgraded(request)) return false;
    const isDeno = this.#runtime === "deno";
    if (isDeno && isLostBody(error)) this.#brokeOff(request);
    // Deno warns when a signal is asked for, and aborts it too late unless it was asked for before.
    if (isDeno && !this.#inFlight.isAsked(request) && !isAbort(error)) return false;
    return this.#signalOf(request).aborted;
  }

  #brokeOff(request: Request): void {
    this.#inFlight.controllerOf(request)?.abort(clientLeft());
  }

  #signalOf(request: Request): AbortSignal {
    const controller = this.#inFlight.controllerOf(request);
    if (controller === undefined) {
      return this.#ofSockets.get(request)?.signal ?? request.signal;
    }
    if (this.#hearing.has(controller) || controller.signal.aborted) return controller.signal;
    this.#hearing.add(controller);
    // Deno aborts the signal of every request in the end, for compatibility: then it is not in flight any more.
    const left = () => {
      if (isUpgraded(request)) return;
      if (this.#inFlight.controllerOf(request) === controller) controller.abort(clientLeft());
    };
    if (request.signal.aborted) left();
    // Deno aborts while it makes a WebSocket, which is remembered right after that.
    else request.signal.addEventListener("abort", () => queueMicrotask(left), { once: true });
    return controller.signal;
  }

  /** Time that sources of event streams get to end after their clients have received the end. */
  get #patience(): number {
    return Math.min(GRACE_MS, this.served.settings.shutdownSeconds * 1000);
  }

  async #close(): Promise<void> {
    const { context, settings: { shutdownSeconds } } = this.served;
    const inFlight = this.#inFlight;
    try {
      // Before the first pause, so that what is answered from now on knows.
      const stopped = this.#http?.shutdown({
        uploaded: inFlight.uploaded(),
        drained: inFlight.idle(),
      });
      inFlight.endEvents(this.#patience);
      await this.#sockets.end(Math.min(SOCKETS_MS, shutdownSeconds * 1000));
      if (stopped && await within(stopped, shutdownSeconds * 1000, LATE) === LATE) {
        await this.#giveUp(stopped);
      }
    } finally {
      // Some may have been opened by what was in flight.
      await this.#sockets.end(SOCKETS_MS);
      this.#stopSignals?.();
      this.#readings.stop();
      await context.close();
    }
  }

  async #giveUp(stopped: Promise<void>): Promise<void> {
    const inFlight = this.#inFlight;
    const found = inFlight.count;
    if (found === 0 && await within(stopped, GRACE_MS, LATE) !== LATE) return;
    // Answers that are made but not taken belong to no request in flight.
    this.#cut = Math.max(found, 1);
    const what = found === 0
      ? "responses that no client reads"
      : `${found} ${found === 1 ? "request" : "requests"} in flight`;
    console.error(`Gave up waiting after ${this.served.settings.shutdownSeconds} s for ${what}`);
    inFlight.cut();
    this.#readings.cut();
    // Aborted work may still answer, and the answer says that it was aborted.
    await within(stopped, GRACE_MS, LATE);
    this.#http?.cut();
  }

  async #terminate(): Promise<number> {
    try {
      await this.close();
      return this.#cut > 0 ? 1 : 0;
    } catch (error) {
      for (const one of error instanceof AggregateError ? error.errors : [error]) {
        this.served.log("Cannot shut down cleanly:", one, "ERROR");
      }
      return 1;
    }
  }
}

/** Whether Deno could not read a body because its client has left, which its signal does not tell. */
function isLostBody(error: unknown): boolean {
  try {
    const { name, message } = error as Error;
    return name === "BadResource" && /^Cannot read (?:request )?body/.test(message);
  } catch {
    return false; // It may be anything, and a getter may throw.
  }
}

function lacksLength({ body, status, headers }: Response): boolean {
  return body === null && status !== 101 && !isBodiless(status) && !headers.has("content-length");
}

const LATE: unique symbol = Symbol("late");

const SOCKETS_MS = 1000;

/** The time that aborted work may take to end before beans are closed. */
const GRACE_MS = 500;

/** Tells the client not to send another request by this connection (RFC 9112, 9.6). */
function closing(response: Response): Response {
  return withHeader(response, "Connection", "close");
}

function urlOf(address: string, port: number): string {
  if (address === "0.0.0.0" || address === "::") return `http://localhost:${port}`;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}
